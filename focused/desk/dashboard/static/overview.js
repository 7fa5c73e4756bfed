// The overview while a crawl runs: figures and curve follow it; the list of pages changes only when a person asks for it.
"use strict";

const live = document.getElementById("live");
const place = document.getElementById("curve");
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
let plot = null;
let shownNewest = null;

function draw(points) {
  if (!points[0].length) return;
  const size = { width: place.clientWidth, height: 270 };
  if (plot) return plot.setData(points);
  const axis = { stroke: style("--quiet"), grid: { stroke: style("--line"), width: 1 }, ticks: { stroke: style("--line") } };
  plot = new uPlot({
    ...size,
    legend: { show: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: [0, 1] } },
    axes: [{ ...axis, label: "pages fetched", labelSize: 22 }, { ...axis, values: (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)}%`) }],
    series: [
      { label: "page" },
      { label: "all", stroke: style("--all"), width: 2 },
      { label: "last 200", stroke: style("--recent"), width: 1.3 },
    ],
  }, points, place);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 270 })).observe(place);
}

function tell(figures) {
  if (!figures.tiles) return;
  for (const [key, text] of Object.entries(figures.tiles)) {
    const cell = live.querySelector(`[data-live="${key}"]`);
    if (!cell || cell.textContent === text) continue;
    cell.textContent = text;
    cell.classList.remove("changed");
    void cell.offsetWidth;
    cell.classList.add("changed");
  }
  draw(figures.curve);
  if (shownNewest === null) shownNewest = figures.newest;
  document.getElementById("show-new").hidden = figures.newest === shownNewest;
  document.getElementById("show-new").dataset.newest = figures.newest;
}

document.getElementById("show-new").addEventListener("click", async (event) => {
  const list = document.getElementById("newest");
  const answer = await fetch(list.dataset.from);
  if (!answer.ok) return;
  list.innerHTML = await answer.text();
  shownNewest = Number(event.target.dataset.newest);
  event.target.hidden = true;
});

fetch(place.dataset.points).then((answer) => answer.json()).then(draw);
followCrawl(live, tell, () => location.reload());
