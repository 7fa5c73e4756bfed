// While the crawl has an answer to give, or was told to stop, what became of it is looked up again and again.
"use strict";

const steered = document.getElementById("steered");

async function lookAgain() {
  if (!steered.querySelector("[data-waits=yes]")) return;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const answer = document.hidden ? null : await fetch(steered.dataset.from).catch(() => null);
  if (answer?.ok) {
    const focus = steered.contains(document.activeElement) ? document.activeElement.id : "";
    steered.innerHTML = await answer.text();
    const state = steered.querySelector("[data-state]")?.dataset.state;
    const told = document.querySelector("h1 .state");
    if (state) [told.textContent, told.className] = [state, `state ${state}`];
    if (focus) (document.getElementById(focus) ?? steered.querySelector("button"))?.focus();
  }
  await lookAgain();
}

lookAgain();
