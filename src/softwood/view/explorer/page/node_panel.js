// What a node is: its test, its rows, and what it answers.

import { branchOf } from "../engine/flow.js";
import { NOMINAL, OBLIQUE, responseOf } from "../engine/trees.js";
import { colourOf, html } from "./elements.js";
import { drawCategories, drawTest, isSoftTest, rowsAt } from "./pictures.js";
import {
  conditionText, conditionsOf, countText, nodeAnswer, numberText, percentText, subjectText, termsOf,
} from "./words.js";

const MOST_CLASSES = 12; // shown in full

export function shareBars(model, shares) {
  const order = shares.map((_, k) => k).sort((a, b) => shares[b] - shares[a]).slice(0, MOST_CLASSES);
  const rows = order.map((k) => html("tr", {},
    html("th", { scope: "row" }, html("span", { class: "swatch", style: `background:${colourOf(k)}` }), model.classes[k]),
    html("td", { class: "bar" }, html("span", { style: `width:${(100 * shares[k]).toFixed(2)}%;background:${colourOf(k)}` })),
    html("td", { class: "number", "data-class": k }, percentText(shares[k])),
  ));
  const more = shares.length - order.length;
  if (more > 0) rows.push(html("tr", {}, html("td", { colspan: 3, class: "quiet" }, `and ${countText(more, "further class", "further classes")}`)));
  return html("table", { class: "shares" }, ...rows);
}

function termTable(state, tree, node) {
  const terms = termsOf(tree, node).map(({ feature, weight }) => ({
    feature, weight, effect: weight * (state.columns[feature].deviation || 1),
  })).sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const most = Math.max(...terms.map(({ effect }) => Math.abs(effect)), 1e-300);
  return html("table", { class: "terms" },
    html("caption", {}, `goes to the first branch if the sum is at most ${numberText(tree.threshold[node])}`),
    html("thead", {}, html("tr", {},
      ...["column", "weight", "per deviation", ""].map((text) => html("th", { scope: "col" }, text)))),
    html("tbody", {}, ...terms.map(({ feature, weight, effect }) => html("tr", {},
      html("th", { scope: "row" }, state.columns[feature].name),
      html("td", { class: "number" }, numberText(weight, 4)),
      html("td", { class: "number" }, numberText(effect, 3)),
      html("td", { class: "bar" }, html("span", { class: effect < 0 ? "minus" : "plus", style: `width:${(100 * Math.abs(effect)) / most}%` })),
    ))),
  );
}

function testPart(state, canvas, node) {
  const { tree, model } = canvas;
  const rows = state.sample ? rowsAt(tree, state.sample, node, branchOf) : [];
  const said = [];
  if (state.sample) said.push(`${countText(rows.length, "row")} of the ${state.sample.nRows} on this page ${rows.length === 1 ? "gets" : "get"} here.`);
  if (tree.kind[node] === NOMINAL) return [drawCategories(state, canvas, node, rows), html("p", { class: "quiet" }, said.join(" "))];
  const { picture, margin, text } = drawTest(state, canvas, node, rows);
  if (isSoftTest(model, tree, node, state.softness[canvas.place])) said.push("The line is the share that takes the first branch.");
  if (margin) said.push(`None of them is in the band from ${text(margin[0])} to ${text(margin[1])}.`);
  said.push("The triangle is the present row.");
  const parts = [picture, html("p", { class: "quiet" }, said.join(" "))];
  if (tree.kind[node] === OBLIQUE) parts.push(termTable(state, tree, node));
  return parts;
}

function hiddenPart(state, canvas, node) {
  const { tree } = canvas;
  if (!tree.nChildren[node] || canvas.open.has(node)) return null;
  const asked = new Map();
  const waiting = [node];
  while (waiting.length) {
    const at = waiting.pop();
    if (!tree.nChildren[at]) continue;
    const name = tree.feature[at] >= 0 ? state.columns[tree.feature[at]].name : "sums of columns";
    asked.set(name, (asked.get(name) ?? 0) + 1);
    for (let k = 0; k < tree.nChildren[at]; k += 1) waiting.push(tree.firstChild[at] + k);
  }
  const names = [...asked].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([name, n]) => (n > 1 ? `${name} (${n} times)` : name));
  return html("p", {}, `Closed: ${countText(tree.nLeaves[node], "leaf", "leaves")} below, which ask ${names.join(", ")}. `,
    html("button", { type: "button", onclick: () => { canvas.toggle(node); state.tell("node"); } }, "open"));
}

export function drawNodePanel(state, canvas, panel) {
  const { tree, model } = canvas;
  const { node } = state;
  const answer = nodeAnswer(model, tree, node);
  const isTest = tree.nChildren[node] > 0;
  const response = [...responseOf(tree, node)];
  const isShares = model.classes !== null && response.length === model.classes.length;
  const conditions = conditionsOf(tree, state.columns, node);
  panel.replaceChildren(
    html("h2", {}, isTest ? subjectText(tree, state.columns, node) : `Leaf: ${answer.text}`),
    html("p", {}, `${percentText(tree.weight[node] / (tree.weight[0] || 1))} of the training weight (${numberText(tree.weight[node])}). `,
      isTest ? `Would answer ${answer.text} by itself.` : `Answers ${answer.text}.`),
    isShares ? shareBars(model, response) : html("p", { class: "number" }, `answer ${numberText(response[0], 7)}`),
    ...[hiddenPart(state, canvas, node)].filter(Boolean),
    ...(isTest ? testPart(state, canvas, node) : []),
    html("h3", {}, conditions.length ? "Rows that get here" : "All rows get here"),
    html("ul", { class: "conditions" }, ...conditions.map((text) => html("li", {}, text))),
    ...(isTest ? [html("h3", {}, "Branches"), html("ul", { class: "conditions" },
      ...Array.from({ length: tree.nChildren[node] }, (_, k) => html("li", {},
        html("button", { type: "button", class: "link", onclick: () => canvas.choose(tree.firstChild[node] + k) },
          conditionText(tree, state.columns, node, k)))))] : []),
  );
}
