// The only part that speaks to the agent, and the gate: nothing passes of a site that is not switched on.
"use strict";

const api = globalThis.browser ?? globalThis.chrome;
const SCRIPT = "reading";
const LATEST = 30_000;  // milliseconds after which an agent that does not answer is not there

api.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });  // scripts in pages never see the token

async function kept() {
    return api.storage.local.get({ port: 0, token: "", sites: [], paused: false });
}

const patterns = (host) => [`http://${host}/*`, `https://${host}/*`];

function hostOf(url) {
    try {
        const { protocol, hostname } = new URL(url);
        return protocol === "http:" || protocol === "https:" ? hostname : "";
    } catch {
        return "";
    }
}

// Ask the agent. An answer with `trouble` says in words what is wrong; one that is `unpaired`, that a code is needed.
async function ask(question, said = {}, { port, token } = {}) {
    const pair = port ? { port, token } : await kept();
    if (!pair.port) return { trouble: "", unpaired: true };
    try {
        const answer = await fetch(`http://127.0.0.1:${pair.port}/${question}`, {
            method: "POST",
            headers: { "Content-Type": "application/json", Authorization: `Bearer ${pair.token}` },
            body: JSON.stringify(said),
            cache: "no-store",
            credentials: "omit",
            redirect: "error",
            signal: AbortSignal.timeout(LATEST),
        });
        const told = await answer.json();
        if (typeof told.paused === "boolean") await api.storage.local.set({ paused: told.paused });
        return answer.status === 403 ? { trouble: "The agent does not know this extension: pair it again.", unpaired: true } : told;
    } catch {
        return { trouble: `No agent answers at port ${pair.port}: start it with scrapy agent NAME.`, away: true };
    }
}

// Put the reader into the pages of the sites that are switched on, and no others.
async function follow(sites) {
    const known = await api.scripting.getRegisteredContentScripts({ ids: [SCRIPT] });
    if (known.length) await api.scripting.unregisterContentScripts({ ids: [SCRIPT] });
    if (!sites.length) return;
    const matches = sites.flatMap(patterns);
    await api.scripting.registerContentScripts([{ id: SCRIPT, js: ["reading.js"], matches, runAt: "document_idle" }]);
}

async function switchSite(host, on, tab) {
    const { sites } = await kept();
    const others = sites.filter((site) => site !== host);
    const now = on ? [...others, host] : others;
    await api.storage.local.set({ sites: now });
    await follow(now);
    if (on && tab !== undefined) {
        try {
            await api.scripting.executeScript({ target: { tabId: tab }, files: ["reading.js"] });
        } catch {
            // a page that nothing may be put into: the next one of this site will do
        }
    }
    return { sites: now };
}

async function pair(code) {
    const [, port, token] = /^\s*(\d{1,5})\.([\w-]{16,64})\s*$/.exec(code) ?? [];
    if (!token) return { trouble: "This is no code of scrapy agent." };
    const told = await ask("pair", {}, { port: Number(port), token });
    if (!told.trouble) await api.storage.local.set({ port: Number(port), token });
    return told;
}

// From a page: only of a site that is switched on, of the page itself and not of a frame in it.
async function fromPage(message, sender) {
    if (sender.frameId !== 0 || sender.tab?.incognito) return { read: false };
    const { sites, paused } = await kept();
    const host = hostOf(sender.url);
    if (paused || !host || !sites.includes(host) || hostOf(message.url) !== host) return { read: false };
    if (message.kind === "reading") return ask("reading", { url: message.url, html: message.html });
    if (message.kind === "spent") return ask("spent", { url: message.url, seconds: message.seconds });
    return { read: false };
}

async function fromPanel(message) {
    switch (message.kind) {
        case "pair": return pair(String(message.code));
        case "site": return switchSite(message.host, message.on, message.tab);
        case "ask": return ask(message.question, message.said);
        default: return {};
    }
}

api.runtime.onMessage.addListener((message, sender, answer) => {
    const ours = sender.url?.startsWith(api.runtime.getURL("")) ?? false;
    if (sender.id !== api.runtime.id) return false;
    (ours ? fromPanel(message) : fromPage(message, sender)).then(answer, () => answer({ trouble: "the extension failed" }));
    return true;
});

// A permission that is taken back in the browser's settings switches the site off.
api.permissions.onRemoved.addListener(async () => {
    const { sites } = await kept();
    const left = [];
    for (const site of sites) if (await api.permissions.contains({ origins: patterns(site) })) left.push(site);
    await api.storage.local.set({ sites: left });
    await follow(left);
});

for (const event of [api.runtime.onInstalled, api.runtime.onStartup]) {
    event.addListener(async () => follow((await kept()).sites));
}
