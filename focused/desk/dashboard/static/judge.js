// Judging by keys: pages are fetched ahead, verdicts wait in the page and go to the desk in their order, however fast they come.
"use strict";

const judging = document.getElementById("judging");
const form = document.getElementById("verdict");
const part = (name) => document.getElementById(name);
const AHEAD = 30; // pages; with fewer than these left more are asked for
const RETRY = [500, 1000, 2000, 5000, 10000]; // milliseconds between two tries
const pile = judging.dataset.pile;
const kept = `verdicts of ${judging.dataset.keep} ${pile}`; // in this tab, also when it is loaded again

let pages = []; // the first is shown
let past = []; // {page, said}, for undo; said is null of a skipped one
let outbox = JSON.parse(sessionStorage.getItem(kept) ?? "[]"); // {url, said} that are not on the desk yet
const known = new Map(); // numbers of pages that this tab has, and is not to be given again
let asking = false;
let sending = false;
let failures = 0;

function show() {
  const page = pages[0];
  form.hidden = part("page").hidden = !page;
  part("nothing").hidden = Boolean(page) || asking;
  part("undo").hidden = !past.length;
  if (!page) return;
  part("page-title").textContent = page.title;
  part("page-url").textContent = page.shown_url;
  part("page-text").textContent = page.text;
  part("page-open").hidden = !page.open;
  part("page-open").href = page.open || "#";
  form.elements.url.value = page.url;
}

async function askForMore() {
  if (asking || pages.length >= AHEAD) return;
  asking = true;
  try {
    const query = new URLSearchParams({ pile, without: [...known.values()].join(",") });
    const answer = await fetch(`${judging.dataset.ahead}?${query}`);
    if (!answer.ok) throw new Error(await answer.text());
    const more = (await answer.json()).filter((page) => !known.has(page.url));
    for (const page of more) known.set(page.url, page.seq);
    pages.push(...more);
    asking = false;
    show();
    if (!more.length && !pages.length) setTimeout(askForMore, 5000); // a running crawl brings more
  } catch {
    asking = false;
    setTimeout(askForMore, 2000);
  }
}

function say(said) {
  const page = pages.shift();
  if (!page) return;
  past.push({ page, said });
  if (said) {
    post(page.url, said);
    count(1);
  }
  show();
  askForMore();
}

function undo() {
  const last = past.pop();
  if (!last) return;
  pages.unshift(last.page);
  known.set(last.page.url, last.page.seq);
  if (last.said) {
    post(last.page.url, "undo");
    count(-1);
  }
  part("last").replaceChildren();
  show();
}

function count(change) {
  const judged = part("judged");
  if (judged) judged.textContent = (Number(judged.textContent.replaceAll(",", "")) + change).toLocaleString("en");
}

function post(url, said) {
  outbox.push({ url, said });
  sessionStorage.setItem(kept, JSON.stringify(outbox));
  send();
}

async function send() {
  if (sending || !outbox.length) return;
  sending = true;
  const batch = outbox.slice(0, 100);
  try {
    const body = new URLSearchParams({ token, pile, script: "yes" });
    for (const { url, said } of batch) {
      body.append("url", url);
      body.append("said", said);
    }
    const answer = await fetch(judging.dataset.keep, { method: "POST", body, keepalive: body.toString().length < 60000 });
    if (!answer.ok) throw new Error(answer.status === 403 ? "This dashboard was started anew: load this page again. " : "");
    outbox = outbox.slice(batch.length);
    sessionStorage.setItem(kept, JSON.stringify(outbox));
    failures = 0;
    part("trouble").hidden = true;
    for (const { url } of batch) if (!outbox.some((one) => one.url === url) && !pages.some((page) => page.url === url)) known.delete(url);
    tell((await answer.json()).thought);
  } catch (error) {
    const many = outbox.length === 1 ? "One verdict waits" : `${outbox.length} verdicts wait`;
    part("trouble").textContent = `${many} in this page: the dashboard did not take ${outbox.length === 1 ? "it" : "them"}. ${error.message?.startsWith("This") ? error.message : "It is tried again."}`;
    part("trouble").hidden = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY[Math.min(failures++, RETRY.length - 1)]));
  }
  sending = false;
  if (outbox.length) send();
  else lookUpFindings();
}

function tell(thought) {
  const last = past.findLast((one) => one.said);
  if (!last || !thought[last.page.url]) return;
  const line = document.createElement("p");
  const title = document.createElement("b");
  title.textContent = last.page.title;
  line.append("You called ", title, ` ${last.said === "yes" ? "on topic" : "not on topic"}; ${thought[last.page.url]}.`);
  part("last").replaceChildren(line);
}

let lookUp = 0;
function lookUpFindings() {
  clearTimeout(lookUp);
  lookUp = setTimeout(async () => {
    const answer = await fetch(`${judging.dataset.findings}?pile=${pile}`).catch(() => null);
    if (!answer?.ok) return;
    const text = await answer.text();
    if (!outbox.length) part("told").innerHTML = text;
  }, 400);
}

const KEYS = { j: () => say("yes"), f: () => say("no"), " ": () => say(null), u: undo };

function begin() {
  const first = part("page");
  for (const { url } of outbox) known.set(url, ""); // judged before this page was loaded
  if (!known.has(first.dataset.url)) pages.push({
    seq: Number(first.dataset.seq),
    url: first.dataset.url,
    title: part("page-title").textContent,
    shown_url: part("page-url").textContent,
    open: part("page-open").hidden ? "" : part("page-open").href,
    text: part("page-text").textContent,
  });
  if (pages.length) known.set(pages[0].url, pages[0].seq);
  show();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(event.submitter.value);
  });
  part("skip").addEventListener("click", (event) => {
    event.preventDefault();
    say(null);
  });
  part("undo").addEventListener("click", undo);
  // A button that was clicked keeps the focus: the next space would press it once more.
  judging.addEventListener("click", (event) => event.detail && first.focus({ preventScroll: true }));
  document.addEventListener("keydown", (event) => {
    const act = KEYS[event.key.toLowerCase()];
    if (!act || event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === " " && event.target.closest("a, button, summary")) return;
    event.preventDefault();
    act();
  });
  askForMore();
}

if (form) begin();
send();
addEventListener("beforeunload", (event) => outbox.length && event.preventDefault());
