// The map of pages: relevant ones green, darker where more so; seeds as rings; the path from a seed to the page one points at.
"use strict";

function drawPages(view, ratio, colours) {
  const { data, seen, lit, px, py, raster } = view;
  const { width, height } = view.size();
  const room = (view.room ??= [0, 1].map(() => [new Int32Array(view.count), new Float32Array(view.count), new Float32Array(view.count)]));
  const counts = [0, 0];
  for (let i = 0; i < view.count; i++) {
    if (!seen[i] || px[i] < -9 || py[i] < -9 || px[i] > width + 9 || py[i] > height + 9) continue;
    const [relevant, at] = [data.relevant[i], counts[data.relevant[i]]++];
    room[relevant][0][at] = i;
    room[relevant][1][at] = px[i] * ratio;
    room[relevant][2][at] = py[i] * ratio;
  }
  const best = bestOf(data);
  const shades = Array.from({ length: 11 }, (_, i) => mixed(mixed(colours.good, colours.card, 0.55), colours.good, i / 10));
  const radius = Math.min(6, 2.2 * view.zoom ** 0.35 * (view.count > 5000 ? 0.75 : 1)) * ratio;
  room.forEach(([points, xs, ys], relevant) => {
    if (counts[relevant] > CROWD) {
      raster.density(xs, ys, counts[relevant], Math.round(3 * ratio), relevant ? colours.good : colours.other);
      return;
    }
    for (let at = 0; at < counts[relevant]; at++) {
      const i = points[at];
      const faded = lit && !lit[i];
      const colour = relevant ? shades[Math.round((10 * data.relevance[i]) / best)] : colours.other;
      raster.dot(xs[at], ys[at], radius * (relevant ? 1.25 : 1), colour, faded ? 0.22 : 0.85);
    }
  });
  let count = 0;
  for (const one of seen) count += one;
  return count;
}

function bestOf(data) {
  return (data.best ??= data.relevance.reduce((most, one, i) => (data.relevant[i] && one > most ? one : most), 1));
}

function abovePages(view, context, style, colour) {
  const { data, seen, px, py } = view;
  context.strokeStyle = colour("seed");
  context.lineWidth = 2;
  let rings = 0;
  for (let i = 0; i < view.count && rings < 500; i++) {
    if (!data.seed[i] || !seen[i]) continue;
    context.beginPath();
    context.arc(px[i], py[i], 6, 0, 7);
    context.stroke();
    rings++;
  }
  const path = view.pointed >= 0 ? pathTo(data, view.pointed) : [];
  if (path.length) {
    context.beginPath();
    path.forEach((i) => context.lineTo(px[i], py[i]));
    context.stroke();
    context.fillStyle = colour("seed");
    for (const i of path) {
      context.beginPath();
      context.arc(px[i], py[i], 3.5, 0, 7);
      context.fill();
    }
  }
  const labels = new Labels(context);
  const font = `600 ${style.width < 500 ? 12 : 13}px system-ui, "DejaVu Sans", sans-serif`;
  const themes = data.sorted ?? (data.sorted = [...data.themes].sort((one, other) => other.relevant - one.relevant || other.pages - one.pages));
  for (const theme of themes) {
    const [x, y] = view.at(theme.x, theme.y);
    if (x > 0 && y > 0 && x < style.width && y < style.height) labels.place(shortened(theme.name, 34), x, y, { ...style, font });
  }
}

/** The pages from a start of the crawl to one page, which is the last. */
function pathTo(data, page) {
  const path = [];
  for (let i = page; i >= 0 && path.length < 200 && !path.includes(i); i = data.source[i]) path.unshift(i);
  return path;
}
