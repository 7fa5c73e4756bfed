// Hits while a crawl runs: figures follow it; the list changes only when a person asks for it, or while it is empty.
"use strict";

const bar = document.getElementById("hits");
const list = document.getElementById("hit-list");
const showNew = document.getElementById("show-new");
const spiders = document.getElementById("agents");
const number = (text) => Number(text ?? 0);
let hits = number(list.querySelector("ol")?.dataset.count);
let asking = false;

async function show() {
  if (asking) return;
  asking = true;
  const answer = await fetch(bar.dataset.list).catch(() => null);
  asking = false;
  if (!answer?.ok) return;
  list.innerHTML = await answer.text(); // made by the dashboard's own templates, which escape
  tellNew();
}

function tellNew() {
  const shown = number(list.querySelector("ol")?.dataset.count);
  showNew.hidden = hits <= shown;
  showNew.textContent = `${(hits - shown).toLocaleString("en")} new`;
  if (!shown && hits) show();
}

async function showSpiders() {
  if (spiders.matches(":hover, :focus-within")) return; // somebody reads them
  const answer = await fetch(bar.dataset.agents).catch(() => null);
  if (!answer?.ok) return;
  const top = spiders.scrollTop;
  const open = [...spiders.querySelectorAll("details[open]")].map((spider) => spider.id);
  spiders.innerHTML = await answer.text();
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  spiders.scrollTop = top;
  const card = document.getElementById("agents-card");
  if (card.hidden) {
    card.hidden = false;
    card.parentElement.className = "columns";
  }
}

function tell(told) {
  if (!told.tiles) return;
  if (bar.dataset.then) {
    location.replace(bar.dataset.then); // to where the person wanted to be: the crawl has begun
    return;
  }
  ({ hits } = told);
  for (const cell of bar.querySelectorAll("[data-live]")) cell.textContent = told.tiles[cell.dataset.live];
  document.getElementById("stop")?.removeAttribute("disabled");
  const state = document.querySelector("h1 .state");
  if (state.textContent === "starting") [state.textContent, state.className, document.getElementById("since").textContent] = ["running", "state running", ""];
  tellNew();
  if (told.agents) showSpiders();
}

function ended() {
  if (hits > number(list.querySelector("ol")?.dataset.count) && list.querySelector("ol")) {
    const end = document.querySelector("h1 .state"); // the list stays as it is: somebody reads it
    [end.textContent, end.className, document.getElementById("since").textContent] = ["ended", "state ended", ""];
    document.getElementById("stop")?.remove();
    showNew.onclick = () => location.reload();
  } else location.reload();
}

showNew.addEventListener("click", show);
followCrawl(bar, tell, ended);
