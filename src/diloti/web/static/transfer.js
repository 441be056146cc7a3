// Takes the code out of the address, where no server and no log ever sees it.
"use strict";
const field = document.getElementById("code");
if (field && location.hash.length > 1) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}
