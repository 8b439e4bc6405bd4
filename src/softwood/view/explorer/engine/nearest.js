// The nearest row with another answer: how far a row is from being answered otherwise.
//
// The distance is the sum over columns of |change| / deviation, and 1 for a changed category. Of one
// hard tree with straight cuts what is found is the nearest; else it is valid, and near.

import { ask } from "./forest.js";
import { NOMINAL, NUMERIC } from "./trees.js";

const MOST_LEAVES = 400; // that are tried, the nearest first
const MOST_MOVES = 24; // of a greedy walk
const CUTS_TRIED = 10; // to either side of a value, in a walk
const HALVINGS = 40;

const unitOf = (column) => column.deviation || (column.high - column.low) / 4 || 1;

export function distanceOf(columns, from, to) {
  return columns.reduce((sum, column, j) => {
    if (Object.is(from[j], to[j]) || from[j] === to[j]) return sum;
    if (column.categories || Number.isNaN(from[j]) || Number.isNaN(to[j])) return sum + 1;
    return sum + Math.abs(to[j] - from[j]) / unitOf(column);
  }, 0);
}

// The next value on the far side of a cut: a little over it, or a whole number.
function across(column, cut, upwards) {
  if (column.isWhole) return upwards ? Math.floor(cut) + 1 : Math.floor(cut);
  if (!upwards) return cut;
  const step = Math.max(Math.abs(cut) * 1e-9, unitOf(column) * 1e-6, 1e-300);
  return cut + step;
}

// What is asked of a row: the tests of a path as bounds of numbers and sets of categories.
function boxOf(tree, leaf) {
  const box = { bounds: new Map(), sets: new Map(), slanted: [] };
  for (let node = leaf; node > 0; node = tree.parent[node]) {
    const test = tree.parent[node];
    const branch = node - tree.firstChild[test];
    const feature = tree.feature[test];
    if (tree.kind[test] === NUMERIC) {
      const bound = box.bounds.get(feature) ?? { low: -Infinity, high: Infinity };
      if (branch === 0) bound.high = Math.min(bound.high, tree.threshold[test]);
      else bound.low = Math.max(bound.low, tree.threshold[test]);
      box.bounds.set(feature, bound);
    } else if (tree.kind[test] === NOMINAL) {
      const start = tree.setStart[test];
      const codes = [];
      for (let code = 0; code < tree.setStart[test + 1] - start; code += 1) {
        if (tree.setChild[start + code] === branch) codes.push(code);
      }
      const before = box.sets.get(feature);
      box.sets.set(feature, before ? before.filter((code) => codes.includes(code)) : codes);
    } else box.slanted.push({ test, branch });
  }
  return box;
}

// The nearest point of a box, or null if it is empty or a fixed column would have to change.
function project(tree, columns, row, box, fixed) {
  const point = Float64Array.from(row);
  for (const [j, { low, high }] of box.bounds) {
    if (low >= high) return null;
    if (point[j] <= low || Number.isNaN(point[j])) point[j] = across(columns[j], low, true);
    if (point[j] > high) point[j] = across(columns[j], high, false);
    if (point[j] <= low || point[j] > high) return null;
  }
  for (const [j, codes] of box.sets) {
    if (!codes.length) return null;
    if (!codes.includes(point[j])) [point[j]] = codes;
  }
  for (let turn = 0; turn < 8 * box.slanted.length; turn += 1) {
    const { test, branch } = box.slanted[turn % box.slanted.length];
    if (!straighten(tree, columns, point, test, branch, fixed)) return null;
  }
  return [...fixed].every((j) => Object.is(point[j], row[j]) || point[j] === row[j]) ? point : null;
}

// Move a point to the wanted side of an oblique test, along the column that gets there soonest.
function straighten(tree, columns, point, test, branch, fixed) {
  let value = 0;
  let best = null;
  for (let term = tree.termStart[test]; term < tree.termStart[test + 1]; term += 1) {
    const j = tree.termFeature[term];
    value += tree.termWeight[term] * point[j];
    const pull = Math.abs(tree.termWeight[term]) * unitOf(columns[j]);
    if (!fixed.has(j) && (!best || pull > best.pull)) best = { j, pull, weight: tree.termWeight[term] };
  }
  const over = value - tree.threshold[test];
  if (branch === 0 ? over <= 0 : over > 0) return true;
  if (!best || Number.isNaN(over)) return false;
  const room = (branch === 0 ? 1 : -1) * Math.max(Math.abs(over), unitOf(columns[best.j]) * Math.abs(best.weight)) * 1e-6;
  point[best.j] -= (over + room) / best.weight;
  return true;
}

class Search {
  constructor(model, columns, row, at, target, fixed) {
    Object.assign(this, { model, columns, row, at, target, fixed });
    this.own = ask(model, row, at).label;
    this.best = null;
  }

  isWanted(point) {
    const { label } = ask(this.model, point, this.at);
    return this.target === null ? label !== this.own : label === this.target;
  }

  score(point) {
    const { answer } = ask(this.model, point, this.at);
    return this.target === null ? -answer[this.own] : answer[this.target];
  }

  keep(point) {
    const distance = distanceOf(this.columns, this.row, point);
    if (!this.best || distance < this.best.distance - 1e-12) this.best = { point, distance };
  }

  // Take back as much of every change as the answer allows.
  shrink(point) {
    const near = Float64Array.from(point);
    const changed = this.columns.map((_, j) => j).filter((j) => near[j] !== this.row[j] && !Number.isNaN(near[j]));
    const cost = (j) => (this.columns[j].categories ? 1 : Math.abs(near[j] - this.row[j]) / unitOf(this.columns[j]));
    changed.sort((a, b) => cost(b) - cost(a));
    for (let turn = 0; turn < 2; turn += 1) {
      for (const j of changed) {
        const far = near[j];
        near[j] = this.row[j];
        if (this.isWanted(near)) continue;
        near[j] = far;
        if (this.columns[j].categories || Number.isNaN(this.row[j])) continue;
        this.bisect(near, j);
      }
    }
    return near;
  }

  bisect(near, j) {
    let good = near[j];
    let bad = this.row[j];
    for (let step = 0; step < HALVINGS; step += 1) {
      const middle = this.columns[j].isWhole ? Math.round((good + bad) / 2) : (good + bad) / 2;
      if (middle === good || middle === bad) break;
      near[j] = middle;
      if (this.isWanted(near)) good = middle;
      else bad = middle;
    }
    near[j] = good;
  }

  // Leaves of one tree, the nearest box first; a soft tree may want a point deeper inside.
  byLeaves(tree) {
    const boxes = [];
    for (let leaf = 0; leaf < tree.nNodes; leaf += 1) {
      if (tree.nChildren[leaf]) continue;
      const point = project(tree, this.columns, this.row, boxOf(tree, leaf), this.fixed);
      if (point) boxes.push({ point, distance: distanceOf(this.columns, this.row, point) });
    }
    boxes.sort((a, b) => a.distance - b.distance);
    for (const { point, distance } of boxes.slice(0, MOST_LEAVES)) {
      if (this.best && distance >= this.best.distance) break;
      for (const deeper of [0, 0.05, 0.2, 0.5, 1, 2]) {
        const moved = this.deeper(point, deeper);
        if (!this.isWanted(moved)) continue;
        this.keep(this.shrink(moved));
        break;
      }
    }
  }

  deeper(point, times) {
    if (times === 0) return point;
    return point.map((value, j) => {
      const column = this.columns[j];
      if (column.categories || this.fixed.has(j) || Number.isNaN(this.row[j])) return value;
      const moved = value + Math.sign(value - this.row[j]) * times * unitOf(column);
      return column.isWhole ? Math.round(moved) : moved;
    });
  }

  // Step by step over the cuts of all trees, by what a step gains for its length.
  byWalking() {
    const cuts = cutsOf(this.model, this.columns);
    const point = Float64Array.from(this.row);
    for (let move = 0; move < MOST_MOVES && !this.isWanted(point); move += 1) {
      const now = this.score(point);
      let best = null;
      for (const [j, values] of cuts) {
        if (this.fixed.has(j)) continue;
        for (const value of stepsFrom(this.columns[j], values, point[j])) {
          const tried = Float64Array.from(point);
          tried[j] = value;
          const gain = (this.score(tried) - now) / (0.05 + distanceOf(this.columns, point, tried));
          if (gain > 1e-12 && (!best || gain > best.gain)) best = { gain, tried };
        }
      }
      if (!best) return;
      point.set(best.tried);
    }
    if (this.isWanted(point)) this.keep(this.shrink(point));
  }
}

// The cuts of each column, or its categories; none of a column that only sums ask.
function cutsOf(model, columns) {
  const cuts = new Map();
  for (const tree of model.trees) {
    for (let node = 0; node < tree.nNodes; node += 1) {
      const feature = tree.feature[node];
      if (tree.kind[node] === NUMERIC || tree.kind[node] === NOMINAL) {
        if (!cuts.has(feature)) cuts.set(feature, new Set());
        if (tree.kind[node] === NUMERIC) cuts.get(feature).add(tree.threshold[node]);
      }
    }
    for (const feature of tree.termFeature) if (!cuts.has(feature)) cuts.set(feature, new Set());
  }
  return [...cuts].map(([j, values]) => [j, columns[j].categories
    ? columns[j].categories.map((_, code) => code) : [...values].sort((a, b) => a - b)]);
}

function stepsFrom(column, values, now) {
  if (column.categories) return values.filter((code) => code !== now);
  if (!values.length) return strides(column, now);
  const place = values.findIndex((cut) => cut >= now);
  const middle = place < 0 ? values.length : place;
  const below = values.slice(Math.max(0, middle - CUTS_TRIED), middle).map((cut) => across(column, cut, false));
  const above = values.slice(middle, middle + CUTS_TRIED).map((cut) => across(column, cut, true));
  return [...below, ...above].filter((value) => value !== now);
}

// Where no cut says how far to go.
function strides(column, now) {
  const from = Number.isNaN(now) ? column.usual ?? 0 : now;
  return [0.1, 0.3, 1, 3].flatMap((k) => [-k, k]).map((k) => {
    const value = from + k * unitOf(column);
    return column.isWhole ? Math.round(value) : value;
  }).filter((value) => value !== now);
}

// -> {point, distance, isExact} or null. `row` is encoded; target is a class, or null for any other.
export function nearestOther(model, columns, row, at, target = null, fixed = new Set()) {
  const search = new Search(model, columns, row, at, target, fixed);
  if (model.trees.length === 1) search.byLeaves(model.trees[0]);
  if (!search.best) search.byWalking();
  if (!search.best) return null;
  const [tree] = model.trees;
  const isStraight = !tree.termFeature.length && !row.some(Number.isNaN);
  const isExact = model.trees.length === 1 && at === 0 && isStraight;
  return { ...search.best, isExact };
}
