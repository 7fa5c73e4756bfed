// The map's page: asks how far the map is, fetches what is to be drawn, and keeps picture, filters and list together.
"use strict";

const map = document.getElementById("map");
const { kind, base, page: pageBase } = map.dataset;
const filters = document.getElementById("map-filters");
const list = document.getElementById("beside");
const progress = document.getElementById("map-progress");
const titles = new Map();
let version = 0;
let chosen = { theme: -1, host: -1 };
let whole = null; // the map as it came; what is shown may be a part
let moved = false; // a person has moved the picture: it stays where it is
const folded = new Set(); // URLs of pages of the tree that are folded up

const view = new MapView(document.getElementById("stage"), { point, pick });

async function ask(path, more = {}) {
  const answer = await fetch(`${base}${path}?${new URLSearchParams({ kind, ...more })}`);
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 200));
  return answer;
}

async function follow() {
  let wait = 15000;
  try {
    const state = await (await ask("/state")).json();
    progress.hidden = !state.doing && !state.trouble;
    progress.textContent = state.trouble || `The map is being drawn: ${state.doing}${state.total ? `, ${state.done.toLocaleString("en")} of ${state.total.toLocaleString("en")}` : ""}…`;
    if (state.version > version) {
      const isFirst = !version;
      ({ version } = state);
      await load(isFirst);
    }
    if (state.doing) wait = 700;
    else if (state.running && kind === "tree") wait = 2000;
  } catch {
    progress.hidden = false;
    progress.textContent = "The dashboard does not answer.";
  }
  setTimeout(follow, wait);
}

async function load(isFirst) {
  const data = (whole = await (await ask("/data")).json());
  if (kind !== "tree") view.show(data);
  document.getElementById("save").hidden = false;
  if (kind === "pages") {
    const known = document.getElementById("map-hosts");
    known.replaceChildren(...data.hosts.slice(0, 2000).map((name) => Object.assign(document.createElement("option"), { value: name })));
  }
  const asked = new URLSearchParams(location.search);
  if (kind === "tree") {
    await open({});
  } else if (isFirst) {
    chosen = { theme: Number(asked.get("theme") ?? -1), host: kind === "pages" ? -1 : data.name.indexOf(asked.get("host")) };
    if (map.dataset.drawn === "no") await open(asked.has("theme") ? { theme: asked.get("theme") } : chosen.host >= 0 ? { host: asked.get("host") } : {});
  } else {
    chosen.theme = -1; // themes have other numbers now
    await open(kind !== "pages" && chosen.host >= 0 ? { host: data.name[chosen.host] } : {});
  }
  filter();
  if (isFirst || (kind === "tree" && !moved)) view.fit(chosen.theme >= 0 ? (i) => data.theme[i] === chosen.theme : undefined);
}

function filter() {
  if (!whole) return;
  const value = (name) => filters.elements[name]?.value ?? "";
  for (const range of filters.querySelectorAll("input[type=range]")) {
    range.nextElementSibling.value = range.name === "share" ? `${range.value}%` : (range.value / 100).toFixed(2);
  }
  if (kind === "tree") {
    filterTree(view, whole, filters.elements, new Set(whole.url.flatMap((url, i) => (folded.has(url) ? [i] : []))));
    return;
  }
  const host = value("host").trim().toLowerCase();
  const isOf = (name) => !host || name === host || name.endsWith(`.${host}`);
  const data = kind === "pages" || chosen.host >= 0 ? whole : collapsed(whole, Number(value("most")));
  if (data !== view.data) view.show(data);
  if (kind === "pages") {
    const [least, depth, only] = [Number(value("relevance")), value("depth"), filters.elements.relevant.checked];
    const hosts = data.hosts.map((name) => isOf(name.toLowerCase()));
    view.filter(
      (i) => data.relevance[i] >= least && (depth === "" || data.depth[i] <= Number(depth)) && (!only || data.relevant[i]) && hosts[data.host[i]],
      chosen.theme >= 0 ? (i) => data.theme[i] === chosen.theme : null,
    );
  } else {
    const share = Number(value("share"));
    view.first = chosen.host;
    const near = chosen.host >= 0 ? around(data, chosen.host) : null;
    view.filter((i) => (near ? near.has(i) : isOf(data.name[i].toLowerCase())) && 100 * data.relevant[i] >= share * data.pages[i]);
  }
}

/** A host and those that it has links with. */
function around(data, host) {
  const found = new Set([host]);
  for (let at = 0; at < data.links.length; at += 3) {
    if (data.links[at] === host) found.add(data.links[at + 1]);
    if (data.links[at + 1] === host) found.add(data.links[at]);
  }
  return found;
}

async function open(wanted) {
  list.innerHTML = await (await ask("/beside", wanted)).text(); // made by the dashboard's own templates, which escape
  list.scrollTop = 0;
}

async function choose(link) {
  const data = whole;
  if (kind === "pages") {
    chosen.theme = link.dataset.theme === "" ? -1 : Number(link.dataset.theme);
    await open(chosen.theme >= 0 ? { theme: chosen.theme } : {});
  } else {
    chosen.host = data.name.indexOf(link.dataset.host);
    await open(chosen.host >= 0 ? { host: link.dataset.host } : {});
  }
  history.replaceState(null, "", link.href);
  filter();
  view.fit(chosen.theme >= 0 ? (i) => data.theme[i] === chosen.theme : undefined);
}

list.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-theme], a[data-host]");
  if (!link || !view.data || event.ctrlKey || event.metaKey || event.button) return;
  event.preventDefault();
  choose(link).catch(() => (location.href = link.href));
});

async function pick(i) {
  if (i < 0 || i === view.data.others) return;
  if (kind === "tree" && view.data.below.pages[i] > 1) {
    const url = view.data.url[i];
    if (!folded.delete(url)) folded.add(url);
    filter();
  } else if (kind === "tree" || kind === "pages") {
    location.href = `${pageBase}?url=${encodeURIComponent(kind === "tree" ? view.data.url[i] : (await about(i)).url)}`;
  } else {
    const name = view.data.name[i];
    const link = Object.assign(document.createElement("a"), { href: `?${new URLSearchParams({ kind, host: name })}` });
    link.dataset.host = name;
    choose(link);
  }
}

async function about(i) {
  const id = view.data.id[i];
  if (!titles.has(id)) titles.set(id, await (await ask("/about", { id })).json());
  return titles.get(id);
}

async function point(i) {
  const { data, tip } = view;
  if (kind !== "pages") {
    tip.textContent = (kind === "tree" ? toldOfTree : toldOfHost)(data, i);
    return;
  }
  const found = await about(i).catch(() => ({ url: "", title: "" }));
  if (view.pointed !== i) return;
  const steps = data.depth[i];
  const way = data.source[i] < 0 ? "a start of the crawl" : `${steps} ${steps === 1 ? "link" : "links"} from a seed`;
  tip.textContent = `${shortened(found.title || found.url, 90)} · ${(data.relevance[i] / 100).toFixed(2)} · ${way}`;
}

document.getElementById("unfold")?.addEventListener("click", () => {
  folded.clear();
  filter();
});
for (const name of ["wheel", "pointerdown", "keydown"]) view.stage.addEventListener(name, () => (moved = true));
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
follow();
