// Elements of the page. Texts from data become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

// The palette of Okabe and Ito, for readers with any colour vision; the weak yellow comes last.
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7a6a53", "#F0E442"];

export function colourOf(k) {
  return COLOURS[k % COLOURS.length];
}

// From pale to strong, for numbers between the least and the largest that the tree answers.
export function shadeOf(value, [low, high]) {
  const part = high > low ? (value - low) / (high - low) : 0.5;
  return `color-mix(in oklab, #0072B2 ${Math.round(10 + 85 * Math.min(Math.max(part, 0), 1))}%, #f2ead8)`;
}
