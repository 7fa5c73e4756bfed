// Names on the map: those that matter most first, each only where no other stands.
"use strict";

class Labels {
  constructor(context) {
    this.context = context;
    this.taken = [];
  }

  /** Write a text in the middle of x, y, unless it would touch another or leave the picture; say whether it stands there. */
  place(text, x, y, { colour, ground, font, width, height }) {
    const { context } = this;
    context.font = font;
    const half = context.measureText(text).width / 2 + 4;
    x = Math.min(Math.max(x, half), width - half);
    const box = [x - half, y - 10, x + half, y + 10];
    if (box[1] < 0 || box[3] > height || half * 2 > width) return false;
    if (this.taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) return false;
    this.taken.push(box);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = ground;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
    return true;
  }
}

function shortened(text, most) {
  const line = String(text).replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
