// Where the visible nodes of a tree go: from left to right, one line for each that ends there.

export const BOX = { width: 128, height: 34 };
export const STEP = { across: 206, down: 46 };

// The heaviest branches are opened first, until about so many nodes end a line, and not too deep.
export function openByMass(tree, root, lines, deepest) {
  const open = new Set();
  const waiting = [root];
  let ends = 1;
  while (waiting.length) {
    waiting.sort((a, b) => tree.weight[b] - tree.weight[a] || a - b);
    const node = waiting.shift();
    if (!tree.nChildren[node] || tree.depth[node] - tree.depth[root] >= deepest) continue;
    if (ends - 1 + tree.nChildren[node] > lines && open.size) continue;
    open.add(node);
    ends += tree.nChildren[node] - 1;
    for (let k = 0; k < tree.nChildren[node]; k += 1) waiting.push(tree.firstChild[node] + k);
  }
  return open;
}

// Open all branches with at least this share of the training weight.
export function openAbove(tree, root, share) {
  const open = new Set();
  const least = share * tree.weight[0];
  const waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    if (!tree.nChildren[node] || (node !== root && tree.weight[node] < least)) continue;
    open.add(node);
    for (let k = 0; k < tree.nChildren[node]; k += 1) waiting.push(tree.firstChild[node] + k);
  }
  return open;
}

// {nodes: in the order of lines, places: node -> {x, y, depth}, width, height}
export function placeNodes(tree, root, open) {
  const places = new Map();
  const nodes = [];
  const stack = [[root, 0]];
  let lines = 0;
  let deepest = 0;
  while (stack.length) {
    const [node, depth] = stack.pop();
    nodes.push(node);
    deepest = Math.max(deepest, depth);
    const place = { x: depth * STEP.across, y: 0, depth };
    places.set(node, place);
    if (!open.has(node)) {
      place.y = lines * STEP.down;
      lines += 1;
      continue;
    }
    for (let k = tree.nChildren[node] - 1; k >= 0; k -= 1) stack.push([tree.firstChild[node] + k, depth + 1]);
  }
  for (let at = nodes.length - 1; at >= 0; at -= 1) {
    const node = nodes[at];
    if (!open.has(node)) continue;
    const first = places.get(tree.firstChild[node]);
    const last = places.get(tree.firstChild[node] + tree.nChildren[node] - 1);
    places.get(node).y = (first.y + last.y) / 2;
  }
  return {
    nodes,
    places,
    width: deepest * STEP.across + BOX.width + 90,
    height: Math.max(lines - 1, 0) * STEP.down + BOX.height,
  };
}
