// Runs in the pages of sites that the person switched on. Tells the worker what is read, and for how long; never what is typed.
"use strict";

(() => {
    if (globalThis.pagesAhead) return;  // once a page, however often it is put in
    globalThis.pagesAhead = true;

    const api = globalThis.browser ?? globalThis.chrome;
    const BEGINS = 3;  // seconds after which a page counts as read
    const TELLS = 10;  // seconds between two reports
    const AWAY = 30_000;  // milliseconds without a sign of life after which nobody is there
    const LONGEST = 2_000_000;  // characters of HTML that are looked at
    const MOST = 600_000;  // characters that are sent
    // What a person types or is asked for, and what is no text
    const LEFT_OUT = "form, input, textarea, select, option, button, output, datalist, script, style, noscript, template, iframe, frame, " +
        "object, embed, svg, canvas, audio, video, dialog, [contenteditable], [role=textbox], [role=dialog], [aria-hidden=true]";

    let address = "";  // of the page that is being read
    let seconds = 0;  // that it was read for
    let told = 0;  // seconds that were told; -1: it is not to be read
    let alive = Date.now();

    const sign = (event) => { if (event.isTrusted) alive = Date.now(); };
    for (const kind of ["scroll", "pointermove", "pointerdown", "keydown", "focus"]) {
        addEventListener(kind, sign, { capture: true, passive: true });
    }

    const here = () => location.origin + location.pathname + location.search;

    // A page with a field for a password is a person's own business.
    const isPrivate = () => document.querySelector("input[type=password]") !== null;

    function text() {
        const source = document.documentElement.outerHTML;
        if (source.length > LONGEST) return null;
        const copy = new DOMParser().parseFromString(source, "text/html");  // inert: nothing of it runs or is loaded
        for (const one of copy.querySelectorAll(LEFT_OUT)) one.remove();
        for (const one of copy.querySelectorAll("head > :not(title, base, meta[name=robots i])")) one.remove();
        const html = copy.documentElement.outerHTML;
        return html.length > MOST ? html.slice(0, MOST) : html;
    }

    async function tell(message) {
        try {
            return await api.runtime.sendMessage(message);
        } catch {
            return null;  // the extension was taken away, or loaded anew
        }
    }

    async function begin() {
        told = -1;
        if (isPrivate()) return;
        const html = text();
        if (html === null) return;
        const url = address;
        const answer = await tell({ kind: "reading", url, html });
        if (answer?.read && url === address) {
            told = 0;
            report();
        }
    }

    function report() {
        if (told < 0 || seconds <= told) return;
        tell({ kind: "spent", url: address, seconds: seconds - told });
        told = seconds;
    }

    function tick() {
        if (here() !== address) {  // a page that changes its address without being loaded
            report();
            address = here();
            seconds = told = 0;
        }
        if (document.visibilityState !== "visible" || Date.now() - alive > AWAY) return;
        seconds += 1;
        if (seconds === BEGINS) begin();
        else if (seconds > BEGINS && seconds - told >= TELLS) report();
    }

    address = here();
    setInterval(tick, 1000);
    addEventListener("visibilitychange", () => { if (seconds >= BEGINS) report(); });
    addEventListener("pagehide", () => { if (seconds >= BEGINS) report(); });
})();
