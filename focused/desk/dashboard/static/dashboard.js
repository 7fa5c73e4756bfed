// What every page has: tables that sort, filter and copy; without this script they are tables all the same. And how to follow a crawl.
"use strict";

const token = document.querySelector("meta[name=token]").content;

function value(cell) {
  const given = cell.dataset.sort ?? cell.querySelector("meter")?.value ?? cell.textContent.trim();
  const number = Number(String(given).replaceAll(",", "").replace("%", ""));
  return Number.isNaN(number) || given === "" ? String(given).toLowerCase() : number;
}

function sort(table, column, header) {
  const down = header.getAttribute("aria-sort") === "descending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const [x, y] = [value(a.cells[column]), value(b.cells[column])];
    return (typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1) * down;
  });
  table.tBodies[0].append(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down === 1 ? "ascending" : "descending");
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    if (!header.textContent.trim() || header.classList.contains("plain")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(table, column, header));
  });
}

function addTools(table) {
  const tools = document.createElement("div");
  tools.className = "row tools";
  const filter = Object.assign(document.createElement("input"), { type: "search", placeholder: "Filter these rows" });
  filter.setAttribute("aria-label", "Filter these rows");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  const copy = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  copy.addEventListener("click", async () => {
    const rows = [...table.rows].filter((row) => !row.hidden);
    const lines = rows.map((row) => [...row.cells].map((cell) => cell.dataset.copy ?? cell.textContent.trim().replaceAll(/\s+/g, " ")).join("\t"));
    await navigator.clipboard.writeText(lines.join("\n"));
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  if (table.dataset.filter === "none") tools.classList.add("end");
  else tools.append(filter);
  tools.append(copy);
  table.before(tools);
}

/** Follow a crawl that runs: element has data-running and data-stream; tell gets what the stream says, ended is called at its end. */
function followCrawl(element, tell, ended) {
  let stream = null;
  function follow() {
    if (element.dataset.running !== "yes" || document.hidden) return;
    stream = new EventSource(element.dataset.stream);
    stream.addEventListener("stands", (event) => tell(JSON.parse(event.data)));
    stream.addEventListener("ended", () => {
      stream.close();
      element.dataset.running = "no";
      ended();
    });
  }
  // A browser has six connections for a host: a page that nobody sees gives its one back.
  document.addEventListener("visibilitychange", () => {
    stream?.close();
    follow();
  });
  follow();
}

for (const table of document.querySelectorAll("table")) {
  if (table.tHead && table.tBodies.length) {
    makeSortable(table);
    if (table.classList.contains("tools")) addTools(table);
  }
}
