// "/" leads to the words.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  document.getElementById("q").focus();
});
