// A line that says how far something is, asked for once a second; at the end the page is loaded once more, or offers it.
"use strict";

const line = document.getElementById("progress");

async function follow() {
  const response = await fetch(line.dataset.from);
  if (!response.ok) return;
  const { told, done } = await response.json();
  if (!done) {
    line.textContent = told;
    setTimeout(follow, 1000);
  } else if (line.dataset.then === "load") {
    location.reload();
  } else if (told) {
    line.textContent = told;
  } else {
    const again = Object.assign(document.createElement("a"), { href: location.href, textContent: "Search them." });
    line.replaceChildren("All pages are ready to be searched. ", again);
    line.classList.add("done");
  }
}

if (line?.dataset.running === "yes") setTimeout(follow, 1000);
