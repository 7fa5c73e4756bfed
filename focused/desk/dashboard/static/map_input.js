// Mouse, touch and keys on a map.
"use strict";

function listen(view) {
  const { stage } = view;
  const fingers = new Map();
  let moved = 0;
  const at = (event) => {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), at(event));
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, a") || event.button > 0) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    moved = 0;
  });
  stage.addEventListener("pointermove", (event) => {
    if (!view.data) return;
    const before = fingers.get(event.pointerId);
    const now = at(event);
    if (!before) {
      if (event.pointerType !== "touch") view.point(event.target.closest("button") ? -1 : view.nearest(...now));
      return;
    }
    fingers.set(event.pointerId, now);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    const others = [...fingers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [x, y] = others[0][1];
      const factor = Math.hypot(now[0] - x, now[1] - y) / Math.max(1, Math.hypot(before[0] - x, before[1] - y));
      view.zoomBy(factor, [(now[0] + x) / 2, (now[1] + y) / 2]);
    } else view.move(now[0] - before[0], now[1] - before[1]);
  });
  const end = (event) => {
    const isClick = fingers.delete(event.pointerId) && event.type === "pointerup" && moved < 5 && view.data;
    if (!isClick) return;
    const found = view.nearest(...at(event));
    if (event.pointerType === "touch" && found >= 0 && found !== view.pointed) view.point(found);
    else view.told.pick(found);
  };
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  stage.addEventListener("pointerleave", () => view.data && !fingers.size && view.point(-1));
  stage.addEventListener("keydown", (event) => {
    if (event.target !== stage || event.ctrlKey || event.metaKey || event.altKey || !view.data) return;
    const step = event.shiftKey ? 200 : 60;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (moves[event.key]) view.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") view.zoomBy(1.4);
    else if (event.key === "-") view.zoomBy(1 / 1.4);
    else if (event.key === "0" || event.key === "Home") view.fit();
    else return;
    event.preventDefault();
  });
  stage.querySelector(".zoom").addEventListener("click", (event) => {
    const wanted = event.target.closest("button")?.dataset.do;
    if (!wanted || !view.data) return;
    if (wanted === "fit") view.fit();
    else view.zoomBy(wanted === "in" ? 1.5 : 1 / 1.5);
  });
}
