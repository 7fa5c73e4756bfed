// The search of a portal. It loads the few files that a question needs as scripts, which works from a disk, too.
"use strict";

const PREFIX = 0.6; // what a word counts that only begins as the one that was typed
const SHORTER = 0.8; // ... that lacks its plural s
const AT_ONCE = 20;
const UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff";
const TOKEN = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

const hits = document.getElementById("hits");
const said = document.getElementById("said");
const more = document.getElementById("more");
const field = document.querySelector("header input");
const loaded = new Map();
const shards = new Map();
const titles = new Map();
let about;

window.portal = {
  about: (...values) => { about = values; },
  words: (number, rows) => { shards.set(number, rows); },
  titles: (number, rows) => { titles.set(number, new Map(rows.map((row) => [row[0], row.slice(1)]))); },
};

function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = `s/${name}.js?${hits.dataset.version}`;
      script.onload = script.onerror = resolve; // a shard without a word is no file
      document.head.append(script);
    }));
  }
  return loaded.get(name);
}

function wordsIn(text) {
  const plain = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
  const found = [];
  for (const token of plain.match(TOKEN) || []) {
    const letters = [...token];
    if (letters.length > 1 && IS_UNSPACED.test(token)) {
      for (let at = 0; at + 1 < letters.length; at += 1) found.push(letters[at] + letters[at + 1]);
    } else if (letters.length <= 30) found.push(token);
  }
  return [...new Set(found)].slice(0, 12);
}

function shardOf(word, count) {
  let number = 0;
  for (const letter of [...word].slice(0, 3)) number = (number * 31 + letter.codePointAt(0)) % 1000003;
  return number % count;
}

// How much a word of a page counts for one that was typed; 0: nothing.
function counted(word, typed) {
  if (word === typed) return 1;
  if (typed.length < 3) return 0;
  if (word.startsWith(typed)) return PREFIX;
  if (typed.endsWith("s") && typed.length > 3 && (word === typed.slice(0, -1) || word === typed.slice(0, -2))) return SHORTER;
  return 0;
}

// Pages with their scores, best first: each word that was typed counts more the rarer it is.
async function ranked(typed) {
  const [pages, count, , weights] = about;
  await Promise.all(typed.map((word) => load(`w${shardOf(word, count)}`)));
  const scores = new Map();
  for (const one of typed) {
    const best = new Map();
    let having = 0;
    for (const [word, found, steps] of shards.get(shardOf(one, count)) || []) {
      const share = counted(word, one);
      if (!share) continue;
      having = Math.max(having, found);
      let at = 0;
      for (const step of steps) {
        at += step;
        const page = Math.floor(at / weights);
        best.set(page, Math.max(best.get(page) || 0, share * (at % weights)));
      }
    }
    const rare = Math.log(1 + (pages + 1) / (having + 0.5));
    for (const [page, weight] of best) scores.set(page, (scores.get(page) || 0) + rare * weight);
  }
  return [...scores].sort((one, other) => other[1] - one[1] || one[0] - other[0]).map(([page]) => page);
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) if (value) made.setAttribute(key, value);
  return made;
}

function marked(text, typed, attributes) {
  const made = element("p", "", attributes);
  for (const part of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    const isFound = wordsIn(part).some((word) => typed.some((one) => counted(word, one)));
    made.append(isFound ? element("mark", part) : part);
  }
  return made;
}

function shown(row, typed) {
  const [key, title, host, date, category, excerpt, language] = row;
  const [name, address] = about[4][category];
  const article = element("article", "", { class: "hit" });
  const heading = element("h2", "");
  heading.append(element("a", title, { href: `p/${key}.html`, dir: "auto", lang: language }));
  const line = element("p", `${host} · ${date} · `, { class: "about" });
  line.append(element("a", name, { href: address }));
  article.append(heading, line);
  if (excerpt) article.append(marked(excerpt, typed, { dir: "auto", lang: language }));
  return article;
}

async function show(pages, typed, from) {
  const each = about[2];
  const some = pages.slice(from, from + AT_ONCE);
  await Promise.all(some.map((page) => load(`t${Math.floor(page / each)}`)));
  for (const page of some) {
    const row = titles.get(Math.floor(page / each))?.get(page % each);
    if (row) hits.append(shown(row, typed));
  }
  more.hidden = from + AT_ONCE >= pages.length;
  more.onclick = () => show(pages, typed, from + AT_ONCE);
}

async function search() {
  const question = new URLSearchParams(location.search).get("q") || "";
  field.value = question;
  const typed = wordsIn(question);
  if (!typed.length) return;
  await load("about");
  if (!about) {
    said.textContent = "The index of this portal cannot be loaded.";
    return;
  }
  const pages = await ranked(typed);
  said.textContent = pages.length ? `${pages.length.toLocaleString("en")} ${pages.length === 1 ? "page" : "pages"}` : "No page has these words.";
  await show(pages, typed, 0);
  hits.dataset.done = "yes";
}

search();
