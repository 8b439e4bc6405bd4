// The tree as a picture of its own: SVG, or PNG at twice the size.

import { svg } from "./elements.js";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight", "text-anchor", "opacity"];
const BORDER = 24;
const MOST_PIXELS = 12_000;

function inlined(from, to) {
  const style = getComputedStyle(from);
  for (const name of KEPT) to.style.setProperty(name, style.getPropertyValue(name));
  for (const name of ["tabindex", "role", "class"]) to.removeAttribute(name);
  [...from.children].forEach((child, k) => inlined(child, to.children[k]));
}

function copyOf(layer) {
  const copy = layer.cloneNode(true);
  inlined(layer, copy);
  copy.setAttribute("transform", `translate(${BORDER},${BORDER + 17})`);
  return copy;
}

export function pictureText(canvas) {
  canvas.showFlow(true);
  const { width, height } = canvas.laid;
  const size = { width: width + 2 * BORDER, height: height + 2 * BORDER };
  const background = getComputedStyle(document.body).backgroundColor;
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}` },
    svg("rect", { width: "100%", height: "100%", fill: background }), copyOf(canvas.layer), copyOf(canvas.flowLayer));
  canvas.showFlow();
  return { text: new XMLSerializer().serializeToString(whole), ...size };
}

function offer(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function saveSvg(canvas) {
  offer(new Blob([pictureText(canvas).text], { type: "image/svg+xml" }), "tree.svg");
}

export async function pngOf(canvas) {
  const { text, width, height } = pictureText(canvas);
  const scale = Math.min(2, MOST_PIXELS / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const board = document.createElement("canvas");
  board.width = Math.ceil(width * scale);
  board.height = Math.ceil(height * scale);
  board.getContext("2d").drawImage(image, 0, 0, board.width, board.height);
  return new Promise((resolve) => { board.toBlob(resolve, "image/png"); });
}

export async function savePng(canvas) {
  offer(await pngOf(canvas), "tree.png");
}
