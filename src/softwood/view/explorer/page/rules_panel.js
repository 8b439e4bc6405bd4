// The leaves as a table of rules; columns sort, and a rule shows its way in the tree.

import { html } from "./elements.js";
import { conditionsOf, nodeAnswer, numberText, percentText } from "./words.js";

const FIRST_RULES = 100;

function rulesOf(model, tree) {
  const rules = [];
  for (let node = 0; node < tree.nNodes; node += 1) {
    if (tree.nChildren[node]) continue;
    const answer = nodeAnswer(model, tree, node);
    rules.push({ node, answer, support: tree.weight[node] / (tree.weight[0] || 1), sure: answer.label >= 0 ? answer.value : null });
  }
  return rules;
}

const ORDERS = {
  rows: (a, b) => b.support - a.support,
  answer: (a, b) => a.answer.label - b.answer.label || a.answer.value - b.answer.value,
  sure: (a, b) => b.sure - a.sure,
  here: (a, b) => b.here - a.here,
};

export function buildRules(state, canvas, panel) {
  let order = "rows";
  let most = FIRST_RULES;
  const body = html("tbody");
  const heads = {};
  const more = html("button", { type: "button", onclick: () => { most = Infinity; draw(); } });

  const draw = () => {
    const { tree, model } = canvas();
    const notes = model.notes[canvas().shownTree];
    const here = new Map();
    for (let k = 0; k < notes.nReached; k += 1) here.set(notes.queue[k], notes.mass[notes.queue[k]]);
    const rules = rulesOf(model, tree).map((rule) => ({ ...rule, here: here.get(rule.node) ?? 0 }));
    rules.sort((a, b) => ORDERS[order](a, b) || a.node - b.node);
    for (const [name, head] of Object.entries(heads)) {
      head.setAttribute("aria-sort", name === order ? "descending" : "none");
    }
    body.replaceChildren(...rules.slice(0, most).map((rule) => row(tree, model, rule)));
    more.hidden = rules.length <= most;
    more.textContent = `show all ${rules.length} rules`;
  };

  const row = (tree, model, rule) => html("tr", { class: rule.node === state.node ? "selected" : null, "data-leaf": rule.node },
    html("td", {}, html("button", { type: "button", class: "link", onclick: () => canvas().choose(rule.node) },
      conditionsOf(tree, state.columns, rule.node).join(" and ") || "always")),
    html("td", {}, rule.answer.label >= 0 ? model.classes[rule.answer.label] : numberText(rule.answer.value)),
    html("td", { class: "number" }, rule.sure === null ? "" : percentText(rule.sure)),
    html("td", { class: "number" }, percentText(rule.support)),
    html("td", { class: "number" }, rule.here ? percentText(rule.here) : ""));

  const head = (name, text) => {
    heads[name] = html("th", { scope: "col", "aria-sort": "none" },
      html("button", { type: "button", class: "link", onclick: () => { order = name; draw(); } }, text));
    return heads[name];
  };
  panel.replaceChildren(
    html("h2", {}, "Rules"),
    html("div", { class: "scroll" }, html("table", { class: "rules" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "rule"), head("answer", "answer"),
        head("sure", "sure"), head("rows", "rows"), head("here", "this row"))), body)),
    more);
  return draw;
}
