// How the unit mass of a row spreads over a tree. The same rules as
// softwood/_kernels/flow/spread.py and branch.py; "softness" says what the gates are multiplied by.

import { massBetween, tailOf } from "./normal.js";
import { LEAF, NOMINAL, NUMERIC } from "./trees.js";

const NOISE = 0;
const LINEAR = 1;
const LOGISTIC = 2;
const HALF_ROOT_PI = 0.5 * Math.sqrt(Math.PI);
const MOST_EXPONENT = 700;
const SHRINK = 2 ** -520; // of both factors of a term: then no sum of finite terms overflows
const SMALLEST = 5e-324;
const LAST_Z = 38;

// What the slider of softness makes of the gates: `at` is where it stands.
export function gateSettings(softness, at) {
  const times = at / softness.unit;
  const isHard = times === 0;
  return {
    shape: isHard ? NOISE : softness.shape,
    times,
    isHard,
    redraw: Math.min(1, softness.redraw * times * times),
    drop: isHard ? SMALLEST : softness.drop,
    span: isHard ? LAST_Z : softness.span,
  };
}

export function valueOf(tree, node, row) {
  if (tree.kind[node] === NUMERIC) return row[tree.feature[node]];
  let value = 0;
  const stop = tree.termStart[node + 1];
  for (let term = tree.termStart[node]; term < stop; term += 1) {
    value += tree.termWeight[term] * row[tree.termFeature[term]];
  }
  if (Number.isFinite(value)) return value;
  value = 0;
  for (let term = tree.termStart[node]; term < stop; term += 1) {
    value += tree.termWeight[term] * SHRINK * (row[tree.termFeature[term]] * SHRINK);
  }
  return value / SHRINK / SHRINK;
}

// The branch that a row takes at a hard test; -1: all of them, by training weight.
export function branchOf(tree, node, row) {
  if (tree.kind[node] !== NOMINAL) {
    const value = valueOf(tree, node, row);
    if (Number.isNaN(value)) return tree.missingChild[node];
    return value <= tree.threshold[node] ? 0 : 1;
  }
  const code = row[tree.feature[node]];
  if (Number.isNaN(code)) return tree.missingChild[node];
  const start = tree.setStart[node];
  if (code < 0 || code >= tree.setStart[node + 1] - start) return -1;
  return tree.setChild[start + Math.trunc(code)];
}

function totalWeight(tree, node) {
  const first = tree.firstChild[node];
  let total = 0;
  for (let child = first; child < first + tree.nChildren[node]; child += 1) total += tree.weight[child];
  return total;
}

function branchShare(tree, node, branch) {
  const total = totalWeight(tree, node);
  return total > 0 ? tree.weight[tree.firstChild[node] + branch] / total : 1 / tree.nChildren[node];
}

function partOfCategory(tree, node, branch, code) {
  const start = tree.setStart[node];
  if (code >= 0 && code < tree.setStart[node + 1] - start) {
    const taken = tree.setChild[start + Math.trunc(code)];
    if (taken !== -1) return taken === branch ? 1 : 0;
  }
  return branchShare(tree, node, branch);
}

function rampShare(over, below, above) {
  if (over === 0) return 0.5;
  if (over <= -below) return 1;
  if (over >= above) return 0;
  return 0.5 - (0.5 * over) / (over < 0 ? below : above);
}

// The share of the left child, `over` being the distance over the threshold.
export function curveShare(over, below, above, shape) {
  const width = over < 0 ? below : above;
  if (shape === LINEAR || over === 0 || width === 0) return rampShare(over, below, above);
  const u = over / width;
  if (shape === LOGISTIC) return 1 / (1 + Math.exp(Math.min(2 * u, MOST_EXPONENT)));
  return 0.5 * erfcOf(u * HALF_ROOT_PI);
}

function erfcOf(x) {
  const tail = tailOf(-Math.abs(x) * Math.SQRT2); // the mass below: half of erfc(|x|)
  return x < 0 ? 2 - 2 * tail : 2 * tail;
}

// Leaves that take mass however little it is. For complete rows under noise, softwood's quick kernel
// (spread_blocks.py) drops no branch to a leaf that answers one class only; it is done likewise here.
const NOTHING = [];

function keptLeaves(tree, byLabel) {
  if (!tree.byBlocks) return NOTHING;
  if (byLabel) return tree.nChildren.map((n) => Number(n === 0));
  tree.keptLeaves ??= tree.nChildren.map((n, node) => {
    const response = tree.response.subarray(node * tree.nOutputs, (node + 1) * tree.nOutputs);
    return Number(n === 0 && response.filter((value) => value !== 0).length === 1);
  });
  return tree.keptLeaves;
}

// Memory for one tree: the nodes that a row reaches in `queue`, and what is noted of them.
export function makeNotes(tree) {
  const n = tree.nNodes;
  return {
    queue: new Int32Array(n),
    nReached: 0,
    keeps: NOTHING,
    mass: new Float64Array(n),
    lowZ: new Float64Array(n),
    low: new Float64Array(n), // below a nominal test that draws anew: the part of the row's own category
    highZ: new Float64Array(n),
    high: new Float64Array(n),
  };
}

function note(notes, home, child, mass) {
  notes.mass[child] = mass;
  notes.lowZ[child] = notes.lowZ[home];
  notes.low[child] = notes.low[home];
  notes.highZ[child] = notes.highZ[home];
  notes.high[child] = notes.high[home];
}

function divide(tree, settings, node, value, notes, end) {
  const { queue, keeps } = notes;
  const mass = notes.mass[node];
  const home = settings.shape === NOISE ? tree.gates.home[node] : 0;
  const first = tree.firstChild[node];
  const over = value - tree.threshold[node];
  let lower = first;
  let upper = first + 1;
  let z = 0;
  let tail = 0;
  let low;
  let high;
  if (settings.shape !== NOISE) {
    const share = curveShare(
      over, tree.gates.below[node] * settings.times, tree.gates.above[node] * settings.times, settings.shape,
    );
    low = mass * share;
    high = mass * (1 - share);
  } else {
    const sd = tree.gates.sd[node] * settings.times;
    if (sd < 0) [lower, upper] = [upper, lower];
    z = -over / sd;
    const span = keeps === NOTHING ? settings.span : LAST_Z;
    if (z <= Math.max(-span, notes.lowZ[home])) {
      low = 0;
      high = mass;
    } else if (z >= Math.min(span, notes.highZ[home])) {
      low = mass;
      high = 0;
    } else {
      tail = tailOf(z);
      low = massBetween(notes.low[home], tail);
      high = massBetween(tail, notes.high[home]);
      const scale = mass / (low + high); // as shares of their own sum they lose no mass
      low *= scale;
      high *= scale;
    }
  }
  const losesLow = low === 0 || (low < settings.drop && !keeps[lower]);
  const losesHigh = high === 0 || (high < settings.drop && !keeps[upper]);
  if (losesLow || losesHigh) {
    const goesLow = losesLow === losesHigh || !(keeps[lower] || keeps[upper]) ? low >= high : losesHigh;
    const child = goesLow ? lower : upper;
    note(notes, home, child, mass);
    queue[end] = child;
    return end + 1;
  }
  note(notes, home, lower, low);
  notes.highZ[lower] = z;
  notes.high[lower] = tail;
  note(notes, home, upper, high);
  notes.lowZ[upper] = z;
  notes.low[upper] = tail;
  queue[end] = first;
  queue[end + 1] = first + 1;
  return end + 2;
}

function drawAnew(tree, settings, node, code, notes, end) {
  const { queue } = notes;
  const mass = notes.mass[node];
  const home = tree.gates.home[node];
  const first = tree.firstChild[node];
  const stop = first + tree.nChildren[node];
  const inherited = home === 0 ? 1 : notes.low[home];
  const chance = settings.redraw;
  let total = 0;
  let largest = 0;
  for (let child = first; child < stop; child += 1) {
    const own = inherited * partOfCategory(tree, node, child - first, code);
    const part = (1 - chance) * own + chance * tree.gates.drawn[child];
    notes.mass[child] = part;
    notes.low[child] = own;
    total += part;
    largest = Math.max(largest, part);
  }
  const least = Math.min((settings.drop * total) / mass, largest);
  let kept = 0;
  for (let child = first; child < stop; child += 1) if (notes.mass[child] >= least) kept += notes.mass[child];
  for (let child = first; child < stop; child += 1) {
    const part = notes.mass[child];
    if (part >= least && part > 0) {
      notes.mass[child] = mass * (part / kept);
      queue[end] = child;
      end += 1;
    }
  }
  return end;
}

function shareOut(tree, home, node, notes, end) {
  const first = tree.firstChild[node];
  const mass = notes.mass[node];
  for (let branch = 0; branch < tree.nChildren[node]; branch += 1) {
    const part = mass * branchShare(tree, node, branch);
    if (part > 0) {
      note(notes, home, first + branch, part);
      notes.queue[end] = first + branch;
      end += 1;
    }
  }
  return end;
}

// Note the mass of every node that a row reaches; notes.queue lists them, ascending. With `byLabel`
// leaves are asked for their class alone.
export function spreadRow(tree, settings, row, notes, byLabel = false) {
  const { gates } = tree;
  notes.keeps = settings.shape === NOISE && !row.some(Number.isNaN) ? keptLeaves(tree, byLabel) : NOTHING;
  notes.mass[0] = 1;
  notes.lowZ[0] = -Infinity;
  notes.low[0] = 0;
  notes.highZ[0] = Infinity;
  notes.high[0] = 0;
  notes.queue[0] = 0;
  let end = 1;
  for (let front = 0; front < end; front += 1) {
    const node = notes.queue[front];
    const kind = tree.kind[node];
    if (kind === LEAF) continue;
    const isSoft = !settings.isHard && (settings.shape !== NOISE || gates.sd[node] !== 0);
    if (kind !== NOMINAL && isSoft) {
      const value = valueOf(tree, node, row);
      if (!Number.isNaN(value)) {
        end = divide(tree, settings, node, value, notes, end);
        continue;
      }
    } else if (
      kind === NOMINAL && settings.redraw > 0 && gates.redrawn && gates.redrawn[node]
      && !Number.isNaN(row[tree.feature[node]])
    ) {
      end = drawAnew(tree, settings, node, row[tree.feature[node]], notes, end);
      continue;
    }
    const home = settings.shape === NOISE && !settings.isHard ? gates.home[node] : 0;
    const branch = branchOf(tree, node, row);
    if (branch < 0) {
      end = shareOut(tree, home, node, notes, end);
      continue;
    }
    const child = tree.firstChild[node] + branch;
    note(notes, home, child, notes.mass[node]);
    notes.queue[end] = child;
    end += 1;
  }
  notes.nReached = end;
  return notes;
}

// Leaf mass @ leaf response.
export function answerOf(tree, notes) {
  const answer = new Float64Array(tree.nOutputs);
  for (let position = 0; position < notes.nReached; position += 1) {
    const node = notes.queue[position];
    if (tree.kind[node] !== LEAF) continue;
    for (let k = 0; k < tree.nOutputs; k += 1) {
      answer[k] += notes.mass[node] * tree.response[node * tree.nOutputs + k];
    }
  }
  return answer;
}
