// Trees as arrays, one after the other; each becomes views of its own part.

import { arrayAt } from "./block.js";

export const LEAF = 0;
export const NUMERIC = 1;
export const NOMINAL = 2;
export const OBLIQUE = 3;

function startsOf(counts) {
  const starts = new Int32Array(counts.length + 1);
  for (let k = 0; k < counts.length; k += 1) starts[k + 1] = starts[k] + counts[k];
  return starts;
}

function parentsOf(firstChild, nChildren) {
  const parent = new Int32Array(nChildren.length).fill(-1);
  for (let node = 0; node < nChildren.length; node += 1) {
    for (let branch = 0; branch < nChildren[node]; branch += 1) parent[firstChild[node] + branch] = node;
  }
  return parent;
}

// Nodes are numbered breadth first: blocks of children tile 1, 2, ... in the order of their parents.
function firstChildrenOf(nChildren) {
  const first = new Int32Array(nChildren.length);
  let next = 1;
  for (let node = 0; node < nChildren.length; node += 1) {
    first[node] = nChildren[node] ? next : -1;
    next += nChildren[node];
  }
  return first;
}

function depthsOf(parent) {
  const depth = new Int32Array(parent.length);
  for (let node = 1; node < parent.length; node += 1) depth[node] = depth[parent[node]] + 1;
  return depth;
}

function leavesBelow(nChildren, parent) {
  const count = new Int32Array(nChildren.length);
  for (let node = nChildren.length - 1; node >= 0; node -= 1) {
    if (!nChildren[node]) count[node] = 1;
    if (node) count[parent[node]] += count[node];
  }
  return count;
}

// softness: {shape, sd, home, redrawn, drawn} or {shape, below, above}, of all trees.
export function readTrees(buffer, written, softness) {
  const all = {};
  for (const [name, place] of Object.entries(written)) {
    all[name] = name === "nNodes" || name === "nOutputs" ? place : arrayAt(buffer, place);
  }
  const gates = {};
  for (const name of ["sd", "home", "redrawn", "drawn", "below", "above"]) {
    if (softness[name]) gates[name] = arrayAt(buffer, softness[name]);
  }
  const trees = [];
  let node = 0;
  let term = 0;
  let place = 0;
  let answer = 0;
  for (let t = 0; t < all.nNodes.length; t += 1) {
    const end = node + all.nNodes[t];
    const part = (array) => array.subarray(node, end);
    const termStart = startsOf(part(all.termCount));
    const setStart = startsOf(part(all.setCount));
    const nTerms = termStart[termStart.length - 1];
    const nPlaces = setStart[setStart.length - 1];
    const nChildren = part(all.nChildren);
    const firstChild = firstChildrenOf(nChildren);
    const parent = parentsOf(firstChild, nChildren);
    const nOutputs = all.nOutputs[t];
    const size = all.nNodes[t] * nOutputs;
    trees.push({
      byBlocks: softness.byBlocks?.[t] ?? false,
      nNodes: all.nNodes[t],
      nOutputs,
      nChildren,
      firstChild,
      parent,
      depth: depthsOf(parent),
      nLeaves: leavesBelow(nChildren, parent),
      kind: part(all.kind),
      feature: part(all.feature),
      threshold: part(all.threshold),
      missingChild: part(all.missingChild),
      weight: part(all.weight),
      response: all.response.subarray(answer, answer + size),
      termStart,
      termFeature: all.termFeature.subarray(term, term + nTerms),
      termWeight: all.termWeight.subarray(term, term + nTerms),
      setStart,
      setChild: all.setChild.subarray(place, place + nPlaces),
      gates: Object.fromEntries(Object.entries(gates).map(([name, array]) => [name, part(array)])),
    });
    node = end;
    term += nTerms;
    place += nPlaces;
    answer += size;
  }
  return trees;
}

export function pathTo(tree, node) {
  const path = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.unshift(at);
  return path;
}

export function responseOf(tree, node) {
  return tree.response.subarray(node * tree.nOutputs, (node + 1) * tree.nOutputs);
}
