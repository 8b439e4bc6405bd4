// One node and one edge of a tree, as SVG.

import { responseOf } from "../engine/trees.js";
import { colourOf, shadeOf, svg } from "./elements.js";
import { BOX } from "./layout.js";
import { branchText, countText, describeNode, nodeAnswer, percentText, shortened, subjectText } from "./words.js";

export const WIDEST = 16; // of an edge that carries all mass

const LETTERS = 18; // that fit into a box

export function edgePath(from, to) {
  const start = from.x + BOX.width;
  const middle = (start + to.x) / 2;
  return `M${start},${from.y}C${middle},${from.y} ${middle},${to.y} ${to.x},${to.y}`;
}

function bar(model, tree, node, range) {
  const width = BOX.width - 12;
  const y = BOX.height / 2 - 9;
  const at = { y, height: 5 };
  const response = [...responseOf(tree, node)];
  if (model.classes === null || response.length !== model.classes.length) {
    return [svg("rect", { x: 6, width, ...at, style: `fill:${shadeOf(response[0], range)}` })];
  }
  let from = 6;
  return response.map((share, k) => {
    const rect = svg("rect", { x: from, width: Math.max(share * width, 0), ...at, style: `fill:${colourOf(k)}` });
    from += share * width;
    return share > 0 ? rect : null;
  });
}

function label(model, tree, columns, node, isOpen) {
  if (tree.nChildren[node] && isOpen) return subjectText(tree, columns, node, 2);
  const answer = nodeAnswer(model, tree, node);
  return answer.label >= 0 ? `${answer.text} ${percentText(answer.value)}` : answer.text;
}

// A box with the column that is asked, or the answer; below it the shares of the classes.
export function drawNode(model, tree, columns, node, place, isOpen, range) {
  const text = label(model, tree, columns, node, isOpen);
  const kind = tree.nChildren[node] ? (isOpen ? "inner" : "closed") : "leaf";
  const group = svg("g", {
    class: `node ${kind}`,
    transform: `translate(${place.x},${place.y})`,
    role: "treeitem",
    tabindex: "-1",
    "aria-level": tree.depth[node] + 1,
    "aria-expanded": tree.nChildren[node] ? String(isOpen) : null,
    "aria-selected": "false",
    "aria-label": describeNode(model, tree, columns, node),
    "data-node": node,
  });
  group.append(
    svg("title", {}, describeNode(model, tree, columns, node)),
    svg("rect", { class: "box", y: -BOX.height / 2, width: BOX.width, height: BOX.height, rx: kind === "leaf" ? 17 : 6 }),
    svg("text", { x: BOX.width / 2, y: -2, class: "label" }, shortened(text, LETTERS)),
    ...bar(model, tree, node, range).filter(Boolean),
  );
  if (kind === "closed") {
    group.append(svg("text", { class: "hidden-leaves", x: BOX.width + 6, y: -8 }, `+ ${countText(tree.nLeaves[node], "leaf", "leaves")}`));
  }
  return group;
}

// An edge as wide as the training weight on it.
export function drawEdge(tree, columns, node, from, to) {
  const parent = tree.parent[node];
  const share = tree.weight[node] / (tree.weight[0] || 1);
  return svg("g", { class: "edge" },
    svg("path", { class: "weight", d: edgePath(from, to), "stroke-width": Math.max(1, WIDEST * share) }),
    // On the side from which the edge does not come.
    svg("text", { class: "branch", x: to.x - 8, y: to.y < from.y ? to.y - 9 : to.y + 16 },
      shortened(branchText(tree, columns, parent, node - tree.firstChild[parent]), 14)),
  );
}

// What is drawn over a node that a row reaches: its edge, its outline, and its mass if it ends there.
export function drawReached(from, to, isOpen, isLeaf) {
  const edge = from ? svg("path", { class: "flow", d: edgePath(from, to) }) : null;
  const outline = svg("rect", {
    class: "reached", x: to.x, y: to.y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: isLeaf ? 17 : 6,
  });
  const text = isOpen ? null : svg("text", { class: "mass", x: to.x + BOX.width + 6, y: to.y + 4 });
  return { edge, text, group: svg("g", {}, edge, outline, text), mass: 0 };
}
