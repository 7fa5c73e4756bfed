// The tree of a crawl: the start in the middle, a circle for each link away from it; what a person folds up takes no room.
"use strict";

/** Places for what is shown of a tree. keeps: {depth, relevant}: how deep, and whether only ways to relevant pages; folded: a Set. */
function placed(tree, { depth, relevant }, folded) {
  const count = tree.parent.length;
  const below = tree.below ?? (tree.below = countedBelow(tree));
  const seen = new Uint8Array(count);
  const children = Array.from({ length: count }, () => []);
  let roots = 0;
  for (let i = 0; i < count; i++) {
    const parent = tree.parent[i];
    const isKept = tree.level[i] <= depth && (!relevant || below.relevant[i]);
    seen[i] = isKept && (parent < 0 || (seen[parent] && !folded.has(parent))) ? 1 : 0;
    if (seen[i] && parent >= 0) children[parent].push(i);
    else if (seen[i]) roots++;
  }
  const order = [];
  const stack = [];
  for (let i = 0; i < count; i++) if (seen[i] && tree.parent[i] < 0) stack.push(i);
  while (stack.length) {
    const page = stack.pop();
    order.push(page);
    stack.push(...children[page]);
  }
  const [first, last] = [new Float64Array(count), new Float64Array(count)];
  let [ends, deepest] = [0, 1];
  for (const page of order.reverse()) {
    if (children[page].length) [first[page], last[page]] = [first[children[page][0]], last[children[page].at(-1)]];
    else first[page] = last[page] = ends++;
    deepest = Math.max(deepest, tree.level[page] + (roots > 1));
  }
  const [x, y] = [new Float32Array(count).fill(EXTENT / 2), new Float32Array(count).fill(EXTENT / 2)];
  for (const page of order) {
    const angle = (Math.PI * (first[page] + last[page])) / Math.max(1, ends);
    const radius = ((tree.level[page] + (roots > 1)) / deepest) * (EXTENT / 2);
    x[page] += radius * Math.cos(angle);
    y[page] -= radius * Math.sin(angle);
  }
  return { ...tree, x, y, seen, folded };
}

/** Show what the filters of a page leave of a tree. */
function filterTree(view, tree, { relevance, depth, relevant }, folded) {
  const least = Number(relevance.value);
  const part = placed(tree, { depth: depth.value === "" ? Infinity : Number(depth.value), relevant: relevant.checked }, folded);
  view.show(part);
  view.filter((i) => part.seen[i], least ? (i) => part.relevance[i] >= least : null);
}

/** How many pages hang on each, itself included, and how many of them are relevant. */
function countedBelow(tree) {
  const [pages, relevant] = [new Int32Array(tree.parent.length).fill(1), Int32Array.from(tree.relevant)];
  for (let i = tree.parent.length - 1; i >= 0; i--) {
    if (tree.parent[i] < 0) continue;
    pages[tree.parent[i]] += pages[i];
    relevant[tree.parent[i]] += relevant[i];
  }
  return { pages, relevant };
}

function drawTree(view, ratio, colours) {
  const { data, seen, lit, px, py, raster } = view;
  const thin = mixed(colours.line, colours.other, 0.5);
  const way = mixed(colours.good, colours.card, 0.45);
  for (let i = 0; i < view.count; i++) {
    const parent = data.parent[i];
    if (!seen[i] || parent < 0) continue;
    const leads = data.below.relevant[i] > 0;
    raster.line(px[parent] * ratio, py[parent] * ratio, px[i] * ratio, py[i] * ratio, leads ? way : thin, leads ? 0.9 : 0.6);
  }
  const best = bestOf(data);
  const radius = Math.min(7, 3 * view.zoom ** 0.35) * ratio;
  let count = 0;
  for (let i = 0; i < view.count; i++) {
    if (!seen[i]) continue;
    count++;
    const colour = data.relevant[i] ? mixed(mixed(colours.good, colours.card, 0.5), colours.good, data.relevance[i] / best) : colours.other;
    raster.dot(px[i] * ratio, py[i] * ratio, radius * (data.relevant[i] ? 1.5 : 1), colour, lit && !lit[i] ? 0.2 : 0.95);
  }
  return count;
}

function aboveTree(view, context, style, colour) {
  const { data, seen, px, py } = view;
  context.strokeStyle = colour("seed");
  context.lineWidth = 2;
  for (const i of data.folded) {
    if (!seen[i]) continue;
    context.beginPath();
    context.arc(px[i], py[i], 8, 0, 7);
    context.stroke();
  }
  if (view.pointed >= 0) {
    context.beginPath();
    for (let i = view.pointed, steps = 0; i >= 0 && steps < 500; i = data.parent[i], steps++) context.lineTo(px[i], py[i]);
    context.stroke();
  }
  const labels = new Labels(context);
  const font = '12px system-ui, "DejaVu Sans", sans-serif';
  const order = data.named ?? (data.named = [...data.parent.keys()].sort((one, other) => rank(data, other) - rank(data, one)));
  let tried = 0;
  for (const i of order) {
    if (tried >= 60) break;
    if (!seen[i] || px[i] < 0 || py[i] < 0 || px[i] > style.width || py[i] > style.height) continue;
    tried++;
    const more = data.folded.has(i) ? ` (+${(data.below.pages[i] - 1).toLocaleString("en")})` : "";
    labels.place(shortened(data.title[i] || data.url[i], 34) + more, px[i], py[i] + 14, { ...style, font });
  }
}

function toldOfTree(data, i) {
  const pages = data.below.pages[i];
  const more = pages > 1 ? ` · with ${pages.toLocaleString("en")} pages, ${data.below.relevant[i].toLocaleString("en")} relevant` : "";
  return `${shortened(data.title[i] || data.url[i], 90)} · ${(data.relevance[i] / 100).toFixed(2)}${more}`;
}

/** What is named first: the start, then what is folded up, then relevant pages. */
function rank(data, i) {
  return (data.parent[i] < 0 ? 1000 : 0) + (data.folded.has(i) ? 500 : 0) + (data.relevant[i] ? 200 : 0) + data.relevance[i];
}
