// The model as a whole: its size, its columns, its trees; of two models, what differs.

import { ask } from "../engine/forest.js";
import { encodeRow } from "../engine/reader.js";
import { html } from "./elements.js";
import { countText, numberText, percentText } from "./words.js";

const MOST_COLUMNS = 25;
const MOST_ROWS = 60;

function importances(state) {
  const shares = state.model.importances;
  if (!shares) return [];
  const order = shares.map((_, j) => j).sort((a, b) => shares[b] - shares[a]).filter((j) => shares[j] > 0).slice(0, MOST_COLUMNS);
  const most = Math.max(...order.map((j) => shares[j]), 1e-12);
  return [html("h3", {}, "Which columns matter"), html("table", { class: "shares" }, ...order.map((j) => html("tr", {},
    html("th", { scope: "row" }, state.columns[j].name),
    html("td", { class: "bar" }, html("span", { class: "plus", style: `width:${(100 * shares[j]) / most}%` })),
    html("td", { class: "number" }, percentText(shares[j])))))];
}

// Tests that are not the same in both trees; each leads to its node.
function changedTests(state, canvases) {
  const { changes: found } = state.content;
  if (!found) return [];
  const link = (text, node, place) => (text === null ? "" : html("button", {
    type: "button", class: "link", onclick: () => canvases[place].choose(node),
  }, text));
  return [
    html("pre", { class: "summary" }, found.summary.join("\n")),
    ...(found.tests.length ? [html("h3", {}, "Tests that changed"), html("div", { class: "scroll" }, html("table", { class: "rules" },
      html("thead", {}, html("tr", {}, ...["change", "first", "second", "rows"].map((text) => html("th", { scope: "col" }, text)))),
      html("tbody", {}, ...found.tests.map((test) => html("tr", {},
        html("td", {}, test.change), html("td", {}, link(test.old, test.oldNode, 0)),
        html("td", {}, link(test.new, test.newNode, 1)), html("td", { class: "number" }, percentText(test.mass)))))))] : []),
  ];
}

function answerText(model, answer) {
  return model.classes ? `${model.classes[answer.label]} ${percentText(answer.answer[answer.label])}` : numberText(answer.answer[0]);
}

// Rows of the sample that two models answer differently.
function changes(state) {
  const { sample, models, columns } = state;
  if (!state.content.isPair) return [];
  if (!sample) return [html("p", { class: "quiet" }, "Give rows to see which ones are answered differently.")];
  const changed = [];
  for (let i = 0; i < sample.nRows; i += 1) {
    const row = sample.values(i);
    const [a, b] = models.map((model, k) => ask(model, encodeRow(model, columns, row), state.softness[k]));
    const moved = Math.max(...a.answer.map((value, k) => Math.abs(value - b.answer[k])));
    const differs = models[0].classes ? models[0].classes[a.label] !== models[1].classes[b.label] : moved > 0;
    if (differs) changed.push({ i, a, b, moved });
  }
  state.askAll();
  changed.sort((x, y) => y.moved - x.moved);
  return [
    html("h3", {}, `${countText(changed.length, "row")} of ${sample.nRows} on this page ${changed.length === 1 ? "is" : "are"} answered differently`),
    html("div", { class: "scroll" }, html("table", { class: "rules" },
      html("thead", {}, html("tr", {}, ...["row", "first", "second"].map((text) => html("th", { scope: "col" }, text)))),
      html("tbody", {}, ...changed.slice(0, MOST_ROWS).map(({ i, a, b }) => html("tr", {},
        html("td", {}, html("button", { type: "button", class: "link", onclick: () => state.setRow(sample.values(i), i) }, `row ${sample.numbers[i]}`)),
        html("td", {}, answerText(models[0], a)), html("td", {}, answerText(models[1], b))))))),
  ];
}

export function drawModelPanel(state, canvases, panel) {
  const { model, tree } = state;
  const size = model.nTrees > 1 ? `${countText(model.nTrees, "tree")}; the one shown has ` : "";
  const deepest = tree.depth.reduce((most, depth) => Math.max(most, depth), 0);
  panel.replaceChildren(
    html("h2", {}, model.kind),
    html("p", {}, `${size}${countText(tree.nLeaves[0], "leaf", "leaves")}, at most ${countText(deepest, "test")} on a way. It predicts ${state.content.target}${model.classes ? `, one of ${countText(model.classes.length, "class", "classes")}` : ", a number"}.`),
    ...(model.softness.note ? [html("p", { class: "quiet" }, model.softness.note)] : []),
    ...changedTests(state, canvases),
    ...changes(state),
    ...importances(state),
  );
}

// Which tree is drawn: a member of an ensemble, or one of a front.
export function buildMembers(state, box) {
  const { models, content } = state;
  box.replaceChildren();
  if (!content.isPair && models.length > 1) {
    box.append(html("label", {}, "tree ", html("select", {
      id: "member", onchange: (event) => state.showTree(Number(event.target.value), 0),
    }, ...models.map((model, k) => html("option", { value: k }, model.name)))));
  } else if (!content.isPair && state.model.trees.length > 1) {
    const number = html("input", {
      type: "number", id: "member", min: 1, max: state.model.trees.length, value: 1,
      oninput: (event) => {
        const t = event.target.valueAsNumber - 1;
        if (t >= 0 && t < state.model.trees.length) state.showTree(0, t);
      },
    });
    box.append(html("label", {}, "tree ", number, ` of ${state.model.trees.length}`));
  }
}
