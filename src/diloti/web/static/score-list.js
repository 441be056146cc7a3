// The score sheets that this device knows.
"use strict";
const known = document.getElementById("known");
const kept = [];
try {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith("diloti score ")) continue;
    kept.push({ ...JSON.parse(localStorage.getItem(name)), id: name.slice("diloti score ".length) });
  }
} catch {
  /* a private window */
}
kept.sort((one, other) => other.changed - one.changed);
for (const { id, key, title } of kept.slice(0, 20)) {
  const line = document.createElement("li"),
    link = document.createElement("a");
  link.className = "button wide";
  link.href = `/score/${encodeURIComponent(id)}${key ? `/${encodeURIComponent(key)}` : ""}`;
  link.textContent = title;
  line.append(link);
  known.querySelector("ul").append(line);
}
known.hidden = !kept.length;
