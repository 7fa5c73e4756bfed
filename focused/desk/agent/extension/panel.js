// What the person sees: suggestions when they open this, and what the agent knows. Texts of the Web are texts here, never HTML.
"use strict";

const api = globalThis.browser ?? globalThis.chrome;
const $ = (id) => document.getElementById(id);
const patterns = (host) => [`http://${host}/*`, `https://${host}/*`];
let tab = null;  // that is being looked at
let host = "";

const send = (message) => api.runtime.sendMessage(message);
const ask = (question, said = {}) => send({ kind: "ask", question, said });

function isPage(url) {
    try {
        return ["http:", "https:"].includes(new URL(url).protocol);
    } catch {
        return false;
    }
}

function trouble(text) {
    $("trouble").textContent = text ?? "";
    $("trouble").hidden = !text;
}

function element(kind, text, className = "") {
    const made = document.createElement(kind);
    made.textContent = text;
    if (className) made.className = className;
    return made;
}

// "linked here as 'Internet Softbots'; shares robot, ai"
function reason({ source, anchor, shares }) {
    const where = source ? `linked from “${source}”` : "linked here";
    const as = anchor ? ` as “${anchor}”` : "";
    return `${where}${as}${shares.length ? `; shares ${shares.join(", ")}` : ""}`;
}

function suggestion(page) {
    const line = document.createElement("li");
    const link = element("a", page.title);
    link.href = isPage(page.url) ? page.url : "#";
    link.title = page.url;
    link.addEventListener("click", (event) => {
        event.preventDefault();
        if (isPage(page.url)) api.tabs.create({ url: page.url });
    });
    const keep = element("button", "Keep");
    keep.type = "button";
    keep.addEventListener("click", () => keepPage(page.url, keep));
    const first = document.createElement("span");
    first.append(link, element("span", ` ${page.host}`, "quiet"));
    line.append(first, keep, element("p", reason(page), "why"));
    return line;
}

async function keepPage(url, button) {
    const told = await ask("keep", { url });
    trouble(told.trouble);
    if (told.trouble) return;
    button.disabled = true;
    $("kept").textContent = told.told;
}

function show(told) {
    trouble(told.trouble);
    $("pairing").hidden = !told.unpaired;
    const known = !told.trouble && !told.unpaired;
    document.querySelector("main").hidden = $("pause").hidden = !known;
    if (!known) return;
    $("pause").textContent = told.paused ? "Go on" : "Pause";
    $("pause").dataset.paused = told.paused;
    $("words").textContent = told.words.join(", ") || "Nothing yet.";
    const pages = (count) => `${count.toLocaleString()} page${count === 1 ? "" : "s"}`;
    $("figures").textContent = `${pages(told.visits)} read, ${pages(told.ahead)} ahead looked at, ${told.waiting} waiting; ` +
        `${told.hour} requests in the last hour. Collection: ${told.collection}.`;
    if (!told.suggestions) return;
    $("suggestions").replaceChildren(...told.suggestions.map(suggestion));
    $("none").hidden = told.suggestions.length > 0;
    $("none").textContent = told.paused ? "Paused: nothing is read and nothing is looked at." : told.waiting
        ? "Still looking; open this again in a moment." : "Nothing ahead is like what you read.";
}

async function showSite() {
    const { sites } = await api.storage.local.get({ sites: [] });
    const on = sites.includes(host);
    $("host").textContent = host || "This page";
    $("state").textContent = !host ? "cannot be read along." : on ? "is read along." : "is not read.";
    $("switch").hidden = !host;
    $("switch").textContent = on ? "Switch off" : "Switch on";
    $("switch").dataset.on = on;
    $("keep").disabled = $("forget-site").disabled = !host;
}

async function refresh() {
    await showSite();
    show(await ask("suggestions", { url: tab?.url ?? "" }));
}

$("pairing").addEventListener("submit", async (event) => {
    event.preventDefault();
    const told = await send({ kind: "pair", code: $("code").value });
    if (told.trouble) trouble(told.trouble);
    else refresh();
});

$("switch").addEventListener("click", async () => {
    const on = $("switch").dataset.on !== "true";
    const origins = patterns(host);
    // Asked for first of all: Firefox grants nothing once a handler has waited.
    if (on && !(await api.permissions.request({ origins }))) return;
    await send({ kind: "site", host, on, tab: tab.id });
    if (!on) await api.permissions.remove({ origins }).catch(() => false);
    refresh();
});

$("pause").addEventListener("click", async () => {
    show(await ask("pause", { paused: $("pause").dataset.paused !== "true" }));
    refresh();
});

$("keep").addEventListener("click", () => keepPage(tab.url, $("keep")));

for (const button of document.querySelectorAll("[data-what]")) {
    button.addEventListener("click", async () => {
        const told = await ask("forget", { what: button.dataset.what, site: host });
        if (told.trouble) trouble(told.trouble);
        else refresh();
    });
}

async function open() {
    const given = Number(new URLSearchParams(location.search).get("tab"));  // in a tab of its own: which one it speaks of
    tab = given ? await api.tabs.get(given) : (await api.tabs.query({ active: true, currentWindow: true }))[0];
    host = isPage(tab?.url) ? new URL(tab.url).hostname : "";
    await refresh();
}

open();
