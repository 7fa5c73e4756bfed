// One map on two canvases: points below, drawn when the view changes; names, seeds and paths above, drawn when the mouse moves.
"use strict";

const EXTENT = 65535;
const CROWD = 20000; // points of a kind in sight, beyond which tiles of density are drawn
const LINE_PIXELS = 300000; // of all links that are drawn, the strongest first: more would be a ball of hair
const MOST_ZOOM = 400;
const DRAWN = { pages: () => [drawPages, abovePages], hosts: () => [drawHosts, aboveHosts], tree: () => [drawTree, aboveTree] };

class MapView {
  /** stage: holds canvas.ground, canvas.above and .tip; told: {pick(i), point(i)}, of which point writes into the tip */
  constructor(stage, told) {
    this.stage = stage;
    this.told = told;
    this.raster = new Raster(stage.querySelector(".ground"));
    this.above = stage.querySelector(".above");
    this.tip = stage.querySelector(".tip");
    this.shown = document.getElementById("map-count");
    this.pointed = -1;
    this.zoom = 1;
    [this.x, this.y] = [0.5, 0.5]; // what lies in the middle, in shares of the map
    new ResizeObserver(() => this.change()).observe(stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.change());
    listen(this);
  }

  show(data) {
    this.data = data;
    this.count = data.x.length;
    this.seen = new Uint8Array(this.count).fill(1);
    this.lit = null; // what stands out, as an array of 0 and 1; null: everything
    [this.px, this.py] = [new Float32Array(this.count), new Float32Array(this.count)];
    this.room = null; // of a drawing, to be used again
    this.pointed = -1;
    this.change();
  }

  /** Show those points only for which a test holds; light those up for which another one does. */
  filter(isSeen, isLit = null) {
    for (let i = 0; i < this.count; i++) this.seen[i] = isSeen(i) ? 1 : 0;
    this.lit = isLit && Uint8Array.from({ length: this.count }, (_, i) => (isLit(i) ? 1 : 0));
    this.pointed = -1;
    this.change();
  }

  change() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.data) this.draw();
    });
  }

  fit(isIn = () => true) {
    let [left, top, right, bottom, any] = [EXTENT, EXTENT, 0, 0, false];
    for (let i = 0; i < this.count; i++) {
      if (!this.seen[i] || !isIn(i)) continue;
      any = true;
      [left, right] = [Math.min(left, this.data.x[i]), Math.max(right, this.data.x[i])];
      [top, bottom] = [Math.min(top, this.data.y[i]), Math.max(bottom, this.data.y[i])];
    }
    if (!any) [left, top, right, bottom] = [0, 0, EXTENT, EXTENT];
    [this.x, this.y] = [(left + right) / 2 / EXTENT, (top + bottom) / 2 / EXTENT];
    const { width, height } = this.size();
    const unit = Math.min(width, height) * 0.9;
    const room = Math.min((width * 0.9) / Math.max(1e-4, (right - left) / EXTENT), (height * 0.9) / Math.max(1e-4, (bottom - top) / EXTENT));
    this.zoom = Math.min(Math.max(room / unit, 0.5), any && right - left + bottom - top ? 40 : 1);
    this.change();
  }

  size() {
    return { width: this.stage.clientWidth, height: this.stage.clientHeight };
  }

  /** Zoom by a factor around a point of the stage. */
  zoomBy(factor, at = null) {
    const { width, height } = this.size();
    const [x, y] = at ?? [width / 2, height / 2];
    const unit = Math.min(width, height) * 0.9;
    const zoom = Math.min(Math.max(this.zoom * factor, 0.5), MOST_ZOOM);
    this.x += (x - width / 2) / unit * (1 / this.zoom - 1 / zoom);
    this.y += (y - height / 2) / unit * (1 / this.zoom - 1 / zoom);
    this.zoom = zoom;
    this.change();
  }

  move(right, down) {
    const { width, height } = this.size();
    const unit = Math.min(width, height) * 0.9 * this.zoom;
    this.x = Math.min(Math.max(this.x - right / unit, 0), 1);
    this.y = Math.min(Math.max(this.y - down / unit, 0), 1);
    this.change();
  }

  place() {
    const { width, height } = this.size();
    const unit = Math.min(width, height) * 0.9 * this.zoom;
    const [scale, left, top] = [unit / EXTENT, width / 2 - this.x * unit, height / 2 - this.y * unit];
    this.at = (x, y) => [left + x * scale, top + y * scale];
    const { x, y } = this.data;
    for (let i = 0; i < this.count; i++) {
      this.px[i] = left + x[i] * scale;
      this.py[i] = top + y[i] * scale;
    }
  }

  draw() {
    const begun = performance.now();
    const { width, height } = this.size();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.place();
    const colours = Object.fromEntries(["card", "good", "other", "line", "seed", "text", "quiet"].map((name) => [name, colourOf(this.stage, `--${name}`)]));
    this.raster.begin(width, height, ratio, colours.card);
    const shown = DRAWN[this.data.kind]()[0](this, ratio, colours);
    this.raster.end();
    this.stage.dataset.frame = (performance.now() - begun).toFixed(1);
    this.drawAbove();
    this.shown.textContent = `${shown.toLocaleString("en")} of ${this.count.toLocaleString("en")} shown.`;
  }

  drawAbove() {
    const { width, height } = this.size();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(this.above, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = this.above.getContext("2d");
    context.scale(ratio, ratio);
    const colour = (name) => getComputedStyle(this.stage).getPropertyValue(`--${name}`).trim();
    const style = { width, height, colour: colour("text"), ground: colour("card") };
    DRAWN[this.data.kind]()[1](this, context, style, colour);
  }

  /** The point nearest to a place of the stage, within a few pixels; -1: none. */
  nearest(x, y) {
    let [best, away] = [-1, Infinity];
    for (let i = 0; i < this.count; i++) {
      if (!this.seen[i]) continue;
      const square = (this.px[i] - x) ** 2 + (this.py[i] - y) ** 2;
      const reach = (this.data.kind === "hosts" ? radiusOf(this, i) : 3) + 6;
      if (square <= reach * reach && square < away) [best, away] = [i, square];
    }
    return best;
  }

  point(i) {
    if (i === this.pointed) return;
    this.pointed = i;
    this.stage.classList.toggle("on", i >= 0);
    this.drawAbove();
    this.tip.hidden = i < 0;
    if (i < 0) return;
    this.tip.style.left = `${Math.min(Math.max(this.px[i], 130), this.size().width - 130)}px`;
    this.tip.style.top = `${this.py[i] > 70 ? this.py[i] - 14 : this.py[i] + 60}px`;
    this.told.point(i);
  }
}
