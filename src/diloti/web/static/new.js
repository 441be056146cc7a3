// The form for a new table: says what each house rule is in the rule set that is chosen.
"use strict";

function tell() {
  const base = document.querySelector('input[name="rules"]:checked').value;
  for (const option of document.querySelectorAll(`option[data-${base}]`))
    option.textContent = option.dataset[base];
}

addEventListener("change", (event) => {
  if (event.target.name === "rules") tell();
});
addEventListener("pageshow", tell); // the browser may have filled in the form again
