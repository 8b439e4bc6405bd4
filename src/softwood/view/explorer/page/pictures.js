// Small pictures for the panel of a node: histograms, cuts and gates.

import { curveShare, gateSettings, valueOf } from "../engine/flow.js";
import { massBetween, tailOf } from "../engine/normal.js";
import { NOMINAL } from "../engine/trees.js";
import { colourOf, svg } from "./elements.js";
import { dateText, numberText, shortened, subjectText } from "./words.js";

const WIDTH = 320;
const HEIGHT = 150;
const FOOT = 20;
const BINS = 24;

// Rows of the sample that reach a node when every test is hard.
export function rowsAt(tree, sample, node, branchOf) {
  const rows = [];
  for (let i = 0; i < sample.nRows; i += 1) {
    let at = 0;
    while (at !== node && tree.nChildren[at]) {
      const branch = branchOf(tree, at, sample.row(i));
      if (branch < 0) break;
      at = tree.firstChild[at] + branch;
    }
    if (at === node) rows.push(i);
  }
  return rows;
}

// The share that goes left, as a function of what the test compares.
function gateOf(model, tree, node, at) {
  const settings = gateSettings(model.softness, at);
  if (settings.isHard) return null;
  if (settings.shape !== 0) {
    const below = tree.gates.below[node] * settings.times;
    const above = tree.gates.above[node] * settings.times;
    if (below === 0 && above === 0) return null;
    return (value) => curveShare(value - tree.threshold[node], below, above, settings.shape);
  }
  const sd = Math.abs(tree.gates.sd[node] * settings.times);
  if (!(sd > 0)) return null;
  return (value) => massBetween(0, tailOf((tree.threshold[node] - value) / sd));
}

export function isSoftTest(model, tree, node, at) {
  return tree.kind[node] !== NOMINAL && gateOf(model, tree, node, at) !== null;
}

function rangeOf(values, cut, gate) {
  let low = Math.min(cut, ...values);
  let high = Math.max(cut, ...values);
  if (low === high) [low, high] = [low - 1, high + 1];
  const room = 0.04 * (high - low);
  if (gate && values.length < 2) return [cut - 3, cut + 3];
  return [low - room, high + room];
}

function stacked(values, groups, nGroups, [low, high]) {
  const counts = Array.from({ length: BINS }, () => new Array(nGroups).fill(0));
  values.forEach((value, i) => {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((BINS * (value - low)) / (high - low))));
    counts[bin][groups[i]] += 1;
  });
  return counts;
}

// The histogram of what a test compares, by class, with the cut, the gate and the margin.
export function drawTest(state, canvas, node, rows) {
  const { tree, model } = canvas;
  const { sample } = state;
  const column = tree.feature[node] >= 0 ? state.columns[tree.feature[node]] : {};
  const text = column.isDate ? dateText : numberText;
  const cut = tree.threshold[node];
  const gate = gateOf(model, tree, node, state.softness[canvas.place]);
  const known = rows.map((i) => ({ i, value: valueOf(tree, node, sample.row(i)) })).filter(({ value }) => !Number.isNaN(value));
  const values = known.map(({ value }) => value);
  const own = valueOf(tree, node, state.encoded);
  const shown = Number.isNaN(own) ? values : [...values, own];
  const [low, high] = rangeOf(shown, cut, gate);
  const x = (value) => (WIDTH * (value - low)) / (high - low);
  const nGroups = model.classes && sample?.target ? model.classes.length + 1 : 1;
  const groups = known.map(({ i }) => (nGroups > 1 ? (sample.target[i] < 0 ? nGroups - 1 : sample.target[i]) : 0));
  const counts = stacked(values, groups, nGroups, [low, high]);
  const most = Math.max(1, ...counts.map((bin) => bin.reduce((sum, n) => sum + n, 0)));
  const floor = HEIGHT - FOOT;
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "picture",
    "aria-label": `Values of ${subjectText(tree, state.columns, node)} at this node, cut at ${text(cut)}`,
  });
  const margin = marginOf(values, cut);
  if (margin) {
    picture.append(svg("rect", { class: "margin", x: x(margin[0]), y: 0, width: Math.max(x(margin[1]) - x(margin[0]), 0.5), height: floor }));
  }
  counts.forEach((bin, k) => {
    let top = floor;
    bin.forEach((n, group) => {
      if (!n) return;
      const tall = (n / most) * (floor - 8);
      top -= tall;
      const colour = nGroups > 1 && group < nGroups - 1 ? colourOf(group) : "var(--pale)";
      picture.append(svg("rect", { x: (k * WIDTH) / BINS + 0.5, y: top, width: WIDTH / BINS - 1, height: tall, style: `fill:${colour}` }));
    });
  });
  if (gate) {
    const points = Array.from({ length: 81 }, (_, k) => {
      const value = low + ((high - low) * k) / 80;
      return `${((WIDTH * k) / 80).toFixed(1)},${(floor - gate(value) * (floor - 8)).toFixed(1)}`;
    });
    picture.append(svg("polyline", { class: "gate", points: points.join(" ") }));
  }
  picture.append(
    svg("line", { class: "cut", x1: x(cut), x2: x(cut), y1: 0, y2: floor }),
    svg("text", { class: "axis", x: 2, y: HEIGHT - 5 }, text(low)),
    svg("text", { class: "axis middle", x: Math.min(Math.max(x(cut), 60), WIDTH - 60), y: HEIGHT - 5 }, text(cut)),
    svg("text", { class: "axis end", x: WIDTH - 2, y: HEIGHT - 5 }, text(high)),
  );
  if (!Number.isNaN(own)) picture.append(svg("path", { class: "own", d: `M${x(own) - 5},0h10l-5,8z` }));
  return { picture, margin, text };
}

function marginOf(values, cut) {
  let below = -Infinity;
  let above = Infinity;
  for (const value of values) {
    if (value <= cut) below = Math.max(below, value);
    else above = Math.min(above, value);
  }
  return Number.isFinite(below) && Number.isFinite(above) ? [below, above] : null;
}

// Categories, one bar each, by class; which branch takes them stands behind.
export function drawCategories(state, canvas, node, rows) {
  const { tree, model } = canvas;
  const { sample } = state;
  const feature = tree.feature[node];
  const names = state.columns[feature].categories;
  const start = tree.setStart[node];
  const nGroups = model.classes && sample?.target ? model.classes.length + 1 : 1;
  const counts = names.map(() => new Array(nGroups).fill(0));
  for (const i of rows) {
    const code = sample.row(i)[feature];
    if (code >= 0 && code < names.length) {
      const group = nGroups > 1 ? (sample.target[i] < 0 ? nGroups - 1 : sample.target[i]) : 0;
      counts[code][group] += 1;
    }
  }
  const codes = names.map((_, code) => code).sort((a, b) => total(counts[b]) - total(counts[a])).slice(0, 16);
  const most = Math.max(1, ...counts.map(total));
  const picture = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${16 * codes.length + 4}`, role: "img", class: "picture",
    "aria-label": `Categories of ${state.columns[feature].name} at this node`,
  });
  codes.forEach((code, line) => {
    const y = 16 * line;
    const branch = code < tree.setStart[node + 1] - start ? tree.setChild[start + code] : -1;
    picture.append(svg("text", { class: "axis end", x: 96, y: y + 12 }, shortened(names[code], 15)));
    let from = 100;
    counts[code].forEach((n, group) => {
      const width = (150 * n) / most;
      const colour = nGroups > 1 && group < nGroups - 1 ? colourOf(group) : "var(--pale)";
      if (n) picture.append(svg("rect", { x: from, y: y + 2, width, height: 11, style: `fill:${colour}` }));
      from += width;
    });
    picture.append(svg("text", { class: "axis", x: 256, y: y + 12 }, branch < 0 ? "to all" : `branch ${branch + 1}`));
  });
  return picture;
}

function total(counts) {
  return counts.reduce((sum, n) => sum + n, 0);
}
