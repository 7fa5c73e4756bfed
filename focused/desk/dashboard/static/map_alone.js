// A map in a file of its own: all that it shows lies in the file.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const isPages = data.kind === "pages";
const isTree = data.kind === "tree";
const folded = new Set();
const filters = document.getElementById("map-filters");
const list = document.getElementById("beside");
const LISTED = 300;
let theme = -1;

const view = new MapView(document.getElementById("stage"), {
  point: (i) => (view.tip.textContent = isTree ? toldOfTree(data, i) : isPages ? toldOfPage(i) : toldOfHost(data, i)),
  pick: (i) => (isTree ? pickOfTree(i) : i >= 0 && isPages && open(data.url[i])),
});

function element(name, text = "", more = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, more);
}

function open(url) {
  if (/^https?:\/\//.test(url)) window.open(url, "_blank", "noopener,noreferrer");
}

function toldOfPage(i) {
  return `${shortened(data.title[i] || data.url[i], 90)} · ${(data.relevance[i] / 100).toFixed(2)}`;
}

function filter() {
  const least = Number(filters.elements.relevance.value);
  filters.querySelector("output").value = (least / 100).toFixed(2);
  const only = filters.elements.relevant.checked;
  if (isTree) {
    filterTree(view, data, filters.elements, folded);
    return;
  }
  const share = (i) => (isPages ? data.relevance[i] : (100 * data.relevant[i]) / Math.max(1, data.pages[i]));
  view.filter((i) => share(i) >= least && (!only || data.relevant[i]), theme >= 0 ? (i) => data.theme[i] === theme : null);
}

function showThemes() {
  theme = -1;
  const items = data.themes.map((one, number) => {
    const button = element("button", shortened(one.name, 80), { type: "button" });
    button.addEventListener("click", () => showTheme(number));
    const item = element("li");
    item.append(button, element("span", ` ${one.pages.toLocaleString("en")}, ${one.relevant.toLocaleString("en")} relevant`, { className: "quiet num" }));
    return item;
  });
  const themes = element("ul", "", { className: "themes" });
  themes.append(...items);
  list.replaceChildren(element("h2", "Themes"), themes);
}

function linked(i) {
  const item = element("li");
  const isWeb = /^https?:\/\//.test(data.url[i]);
  item.append(element(isWeb ? "a" : "span", shortened(data.title[i] || data.url[i], 120), isWeb ? { href: data.url[i], rel: "noopener noreferrer nofollow", target: "_blank" } : {}));
  item.append(element("p", shortened(data.url[i], 100), { className: "url" }));
  return item;
}

function showTheme(number) {
  theme = number;
  const back = element("button", "← All themes", { type: "button" });
  back.addEventListener("click", () => {
    showThemes();
    filter();
    view.fit();
  });
  const members = data.theme.flatMap((one, i) => (one === number ? [i] : []));
  members.sort((one, other) => data.relevant[other] - data.relevant[one] || data.relevance[other] - data.relevance[one]);
  const pages = element("ol", "", { className: "pages" });
  for (const i of members.slice(0, LISTED)) pages.append(linked(i));
  list.replaceChildren(back, element("h2", data.themes[number].name), pages);
  filter();
  view.fit((i) => data.theme[i] === number);
}

function showHosts() {
  const rows = element("ol", "", { className: "pages" });
  data.name.slice(0, LISTED).forEach((name, i) => {
    const item = element("li", name);
    item.append(element("p", `${data.pages[i].toLocaleString("en")} pages, ${data.relevant[i].toLocaleString("en")} relevant`, { className: "quiet" }));
    rows.append(item);
  });
  list.replaceChildren(element("h2", "Hosts"), rows);
}

/** Fold a page with what hangs on it, or open one on which nothing hangs. */
function pickOfTree(i) {
  if (i < 0) return;
  if (data.below.pages[i] < 2) open(data.url[i]);
  else if (!folded.delete(i)) folded.add(i);
  filter();
}

function showRelevant() {
  const order = [...data.url.keys()].filter((i) => data.relevant[i]).sort((one, other) => data.relevance[other] - data.relevance[one]);
  const pages = element("ol", "", { className: "pages" });
  for (const i of order.slice(0, LISTED)) pages.append(linked(i));
  list.replaceChildren(element("h2", "Relevant pages"), pages);
}

if (!isTree) view.show(data);
document.getElementById("depth").hidden = !isTree;
if (isTree) showRelevant();
else if (isPages) showThemes();
else showHosts();
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filter();
view.fit();
