// Shows how much is ready to be searched, and loads the answer once more when all is; "/" leads to the words.
"use strict";

const line = document.getElementById("progress");

async function follow() {
  const response = await fetch(line.dataset.from);
  if (!response.ok) return;
  const { told, done } = await response.json();
  if (!done) {
    line.textContent = told;
    setTimeout(follow, 1000);
  } else if (told) {
    line.textContent = told;
  } else {
    const again = Object.assign(document.createElement("a"), { href: location.href, textContent: "Search them." });
    line.replaceChildren("All pages are ready to be searched. ", again);
    line.classList.add("done");
  }
}

if (line?.dataset.running === "yes") setTimeout(follow, 1000);

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  document.getElementById("q").focus();
});
