// Sends a result: by what the device has for it, else into the clipboard.
"use strict";

for (const button of document.querySelectorAll("[data-share]")) {
  const text = document.getElementById(button.dataset.share);
  if (!navigator.share && !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (navigator.share) await navigator.share({ text: text.value });
      else await navigator.clipboard.writeText(text.value);
      button.textContent = "✓";
    } catch {
      text.select();
    }
  });
}
