// The map of hosts: larger with more pages, greener with a larger share of relevant ones; small ones may be left out.
"use strict";

const COVERED = 0.2; // share of the picture that all hosts together may cover

function radiusOf(view, i) {
  return fullRadius(view.data, i) * (view.shrunk ?? 1) * Math.min(1.6, view.zoom ** 0.25);
}

function fullRadius(data, i) {
  return 3 + 15 * Math.min(1, Math.sqrt(data.pages[i] / (data.pages[0] || 1)));
}

/** By how much hosts are smaller than they might be, so that many do not hide each other. */
function shrink(view) {
  const { width, height } = view.size();
  let area = 0;
  for (let i = 0; i < view.count; i++) if (view.seen[i]) area += Math.PI * fullRadius(view.data, i) ** 2;
  return Math.min(1, Math.sqrt((COVERED * width * height) / Math.max(1, area)));
}

function drawHosts(view, ratio, colours) {
  const { data, seen, lit, px, py, raster } = view;
  const { width, height } = view.size();
  const order = data.order ?? (data.order = strongestFirst(data.links));
  view.shrunk = shrink(view);
  const thin = mixed(colours.line, colours.other, 0.35);
  let drawn = 0;
  for (const at of order) {
    const [from, to] = [data.links[at], data.links[at + 1]];
    if (!seen[from] || !seen[to] || (lit && !(lit[from] && lit[to]))) continue;
    if (Math.max(px[from], px[to]) < 0 || Math.max(py[from], py[to]) < 0) continue;
    if (Math.min(px[from], px[to]) > width || Math.min(py[from], py[to]) > height) continue;
    raster.line(px[from] * ratio, py[from] * ratio, px[to] * ratio, py[to] * ratio, thin, Math.min(0.9, 0.35 + 0.1 * Math.log1p(data.links[at + 2])));
    drawn += Math.max(Math.abs(px[from] - px[to]), Math.abs(py[from] - py[to]));
    if (drawn > LINE_PIXELS) break;
  }
  let count = 0;
  for (let i = view.count - 1; i >= 0; i--) {
    if (!seen[i]) continue;
    count++;
    const radius = radiusOf(view, i);
    if (px[i] < -radius || py[i] < -radius || px[i] > width + radius || py[i] > height + radius) continue;
    const colour = mixed(colours.other, colours.good, data.relevant[i] / Math.max(1, data.pages[i]));
    const opacity = lit && !lit[i] ? 0.12 : 1;
    if (radius > 4) raster.dot(px[i] * ratio, py[i] * ratio, (radius + 1) * ratio, colours.card, opacity);
    raster.dot(px[i] * ratio, py[i] * ratio, radius * ratio, colour, opacity);
  }
  return count;
}

/** The largest hosts, and one more in place of all others; with where each lies in the whole. */
function collapsed(data, most) {
  const count = data.x.length;
  if (count <= most) return data;
  const kept = { kind: data.kind };
  for (const name of ["x", "y", "name", "pages", "relevant", "count"]) kept[name] = data[name].slice(0, most);
  const sum = (list) => list.slice(most).reduce((total, one) => total + one, 0);
  kept.name.push(`${(count - most).toLocaleString("en")} others`);
  kept.x.push(Math.max(...kept.x));
  kept.y.push(Math.max(...kept.y));
  for (const name of ["pages", "relevant", "count"]) kept[name].push(sum(data[name]));
  const weights = new Map();
  for (let at = 0; at < data.links.length; at += 3) {
    const [from, to] = [Math.min(data.links[at], most), Math.min(data.links[at + 1], most)];
    if (from !== to) weights.set(from * (most + 1) + to, (weights.get(from * (most + 1) + to) ?? 0) + data.links[at + 2]);
  }
  kept.links = [...weights].flatMap(([pair, weight]) => [Math.floor(pair / (most + 1)), pair % (most + 1), weight]);
  kept.others = most;
  return kept;
}

/** Where the links begin in the list, the strongest first. */
function strongestFirst(links) {
  const order = Array.from({ length: links.length / 3 }, (_, i) => 3 * i);
  return order.sort((one, other) => links[other + 2] - links[one + 2]);
}

function toldOfHost(data, i) {
  return `${data.name[i]}: ${data.pages[i].toLocaleString("en")} pages, ${data.relevant[i].toLocaleString("en")} relevant`;
}

function aboveHosts(view, context, style, colour) {
  const { data, seen, lit, px, py } = view;
  const labels = new Labels(context);
  const font = '12px system-ui, "DejaVu Sans", sans-serif';
  if (view.pointed >= 0) {
    context.strokeStyle = colour("seed");
    context.lineWidth = 1.5;
    context.beginPath();
    for (let at = 0; at < data.links.length; at += 3) {
      const [from, to] = [data.links[at], data.links[at + 1]];
      if ((from !== view.pointed && to !== view.pointed) || !seen[from] || !seen[to]) continue;
      context.moveTo(px[from], py[from]);
      context.lineTo(px[to], py[to]);
    }
    context.stroke();
  }
  const first = view.first >= 0 && view.first < view.count ? [view.first] : [];
  let tried = 0;
  for (const i of [...first, ...seen.keys()]) {
    if (tried >= 60) break;
    if (!seen[i] || (lit && !lit[i]) || px[i] < 0 || py[i] < 0 || px[i] > style.width || py[i] > style.height) continue;
    tried++;
    labels.place(shortened(data.name[i], 40), px[i], py[i] + radiusOf(view, i) + 9, { ...style, font });
  }
}
