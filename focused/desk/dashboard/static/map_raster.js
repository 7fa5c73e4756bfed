// Draws points and lines into pixels by hand: 20,000 points take a few milliseconds on any machine, without a graphics card.
"use strict";

class Raster {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.masks = new Map();
  }

  /** Begin a picture of width x height CSS pixels on a ground of one colour, [red, green, blue]. */
  begin(width, height, ratio, ground) {
    const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
    if (!this.image || this.image.width !== w || this.image.height !== h) {
      Object.assign(this.canvas, { width: w, height: h });
      this.image = this.context.createImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.width = w;
    this.height = h;
    this.pixels.fill(pixel(ground));
  }

  end() {
    this.context.putImageData(this.image, 0, 0);
  }

  blend(at, colour, share) {
    const old = this.pixels[at];
    const mix = (shift) => (old >> shift) & 255;
    const red = mix(0) + (colour[0] - mix(0)) * share;
    const green = mix(8) + (colour[1] - mix(8)) * share;
    const blue = mix(16) + (colour[2] - mix(16)) * share;
    this.pixels[at] = 0xff000000 | (blue << 16) | (green << 8) | red;
  }

  /** A disc in device pixels; colour with an opacity from 0 to 1. */
  dot(x, y, radius, colour, opacity = 1) {
    const mask = this.mask(radius);
    const [left, top] = [Math.round(x) - mask.reach, Math.round(y) - mask.reach];
    const { size, shares } = mask;
    if (left >= this.width || top >= this.height || left + size <= 0 || top + size <= 0) return;
    const inside = left >= 0 && top >= 0 && left + size <= this.width && top + size <= this.height;
    const solid = pixel(colour);
    for (let row = 0, i = 0; row < size; row++) {
      const line = (top + row) * this.width + left;
      for (let column = 0; column < size; column++, i++) {
        if (!shares[i]) continue;
        if (!inside && (left + column < 0 || left + column >= this.width || top + row < 0 || top + row >= this.height)) continue;
        const share = shares[i] * opacity;
        if (share === 1) this.pixels[line + column] = solid;
        else this.blend(line + column, colour, share);
      }
    }
  }

  /** How much of each pixel a disc covers; kept by radius, in steps of a quarter. */
  mask(radius) {
    const rounded = Math.max(0.75, Math.round(radius * 4) / 4);
    let mask = this.masks.get(rounded);
    if (!mask) {
      const reach = Math.ceil(rounded);
      const size = 2 * reach + 1;
      const shares = new Float32Array(size * size);
      for (let i = 0; i < shares.length; i++) {
        const away = Math.hypot((i % size) - reach, Math.floor(i / size) - reach);
        shares[i] = Math.min(1, Math.max(0, rounded + 0.5 - away));
      }
      mask = { reach, size, shares };
      this.masks.set(rounded, mask);
    }
    return mask;
  }

  /** A thin smooth line (Wu, 1991). */
  line(x0, y0, x1, y1, colour, opacity) {
    const steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
    if (steep) [x0, y0, x1, y1] = [y0, x0, y1, x1];
    if (x0 > x1) [x0, x1, y0, y1] = [x1, x0, y1, y0];
    const slope = x1 === x0 ? 0 : (y1 - y0) / (x1 - x0);
    const [long, wide] = steep ? [this.height, this.width] : [this.width, this.height];
    const [along, across] = steep ? [this.width, 1] : [1, this.width];
    for (let x = Math.max(0, Math.round(x0)), end = Math.min(long - 1, Math.round(x1)); x <= end; x++) {
      const y = y0 + slope * (x - x0);
      const low = Math.floor(y);
      const part = y - low;
      if (low >= 0 && low < wide) this.blend(x * along + low * across, colour, opacity * (1 - part));
      if (low + 1 >= 0 && low + 1 < wide) this.blend(x * along + (low + 1) * across, colour, opacity * part);
    }
  }

  /** Many points as tiles of density: darker where more lie. xs, ys: Float32Array of device pixels; count of them. */
  density(xs, ys, count, tile, colour) {
    const columns = Math.ceil(this.width / tile);
    const tiles = new Uint32Array(columns * Math.ceil(this.height / tile));
    for (let i = 0; i < count; i++) {
      if (xs[i] >= 0 && ys[i] >= 0 && xs[i] < this.width && ys[i] < this.height) {
        tiles[Math.floor(ys[i] / tile) * columns + Math.floor(xs[i] / tile)]++;
      }
    }
    let most = 1;
    for (const one of tiles) if (one > most) most = one;
    const scale = 1 / Math.log1p(most);
    for (let i = 0; i < tiles.length; i++) {
      if (!tiles[i]) continue;
      const share = 0.12 + 0.88 * Math.log1p(tiles[i]) * scale;
      const [left, top] = [(i % columns) * tile, Math.floor(i / columns) * tile];
      for (let y = top; y < Math.min(top + tile, this.height); y++) {
        for (let x = left; x < Math.min(left + tile, this.width); x++) this.blend(y * this.width + x, colour, share);
      }
    }
  }
}

function pixel([red, green, blue]) {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The colour of a CSS variable as [red, green, blue]. */
function colourOf(element, name) {
  const text = getComputedStyle(element).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) || 0);
}

function mixed(one, other, share) {
  return one.map((value, i) => Math.round(value + (other[i] - value) * share));
}
