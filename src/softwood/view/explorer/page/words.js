// Numbers, tests and answers in words.

import { NOMINAL, NUMERIC, pathTo, responseOf } from "../engine/trees.js";
import { DAY } from "../engine/dates.js";
import { mostProbable } from "../engine/forest.js";

const SHOWN_CATEGORIES = 4;
const SHOWN_TERMS = 3;

export function numberText(value, digits = 5) {
  if (value === null || Number.isNaN(value)) return "missing";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(digits - 2).replace("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function percentText(share) {
  if (share > 0 && share < 0.001) return "<0.1 %";
  if (share < 1 && share > 0.999) return ">99.9 %";
  return `${Number((100 * share).toFixed(1))} %`;
}

export function countText(n, thing, things = `${thing}s`) {
  return `${n.toLocaleString("en").replaceAll(",", "\u202f")} ${n === 1 ? thing : things}`;
}

export function dateText(days) {
  const time = new Date(days * DAY);
  return Number.isNaN(time.getTime()) ? numberText(days) : time.toISOString().slice(0, 10);
}

export function daysOf(text) {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time / DAY;
}

export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// A value of a column, as people write it.
export function valueText(column, value) {
  if (value === null || Number.isNaN(value)) return "missing";
  if (value === "unknown") return "never seen";
  if (column.categories) return column.categories[value] ?? "never seen";
  return column.isDate ? dateText(value) : numberText(value);
}

function setText(names) {
  if (names.length === 1) return `= ${names[0]}`;
  const shown = names.slice(0, SHOWN_CATEGORIES).join(", ");
  return names.length > SHOWN_CATEGORIES
    ? `in ${shown}, … ${names.length - SHOWN_CATEGORIES} more` : `in ${shown}`;
}

export function categoriesOf(tree, columns, node, branch) {
  const names = [];
  const start = tree.setStart[node];
  for (let code = 0; code < tree.setStart[node + 1] - start; code += 1) {
    if (tree.setChild[start + code] === branch) names.push(columns[tree.feature[node]].categories?.[code] ?? String(code));
  }
  return names;
}

export function termsOf(tree, node) {
  const terms = [];
  for (let at = tree.termStart[node]; at < tree.termStart[node + 1]; at += 1) {
    terms.push({ feature: tree.termFeature[at], weight: tree.termWeight[at] });
  }
  return terms;
}

function sumText(tree, columns, node, most) {
  const terms = termsOf(tree, node).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const text = terms.slice(0, most).map(({ feature, weight }, k) => {
    const sign = weight < 0 ? "− " : k ? "+ " : "";
    const factor = Math.abs(weight) === 1 ? "" : `${numberText(Math.abs(weight), 3)}·`;
    return `${sign}${factor}${columns[feature].name}`;
  }).join(" ");
  return terms.length > most ? `${text} + … ${terms.length - most} more` : text;
}

// What a node asks: a column, or a sum of columns.
export function subjectText(tree, columns, node, most = SHOWN_TERMS) {
  if (tree.nChildren[node] === 0) return "";
  if (tree.kind[node] === NUMERIC || tree.kind[node] === NOMINAL) return columns[tree.feature[node]].name;
  return sumText(tree, columns, node, most);
}

// What is true of the rows that take a branch, without the column's name.
export function branchText(tree, columns, node, branch) {
  if (tree.kind[node] === NOMINAL) return setText(categoriesOf(tree, columns, node, branch));
  const column = tree.kind[node] === NUMERIC ? columns[tree.feature[node]] : {};
  const cut = column.isDate ? dateText(tree.threshold[node]) : numberText(tree.threshold[node]);
  return `${branch === 0 ? "≤" : ">"} ${cut}`;
}

export function conditionText(tree, columns, node, branch) {
  return `${subjectText(tree, columns, node)} ${branchText(tree, columns, node, branch)}`;
}

// The conditions on the way to a node; of several cuts of one column only the closest ones.
export function conditionsOf(tree, columns, node) {
  const path = pathTo(tree, node);
  const steps = path.slice(1).map((child, k) => ({ test: path[k], branch: child - tree.firstChild[path[k]] }));
  const isTightest = ({ test, branch }, k) => {
    if (tree.kind[test] !== NUMERIC) return true;
    return !steps.some((later, at) => at !== k && tree.kind[later.test] === NUMERIC
      && tree.feature[later.test] === tree.feature[test] && later.branch === branch
      && (branch === 0 ? tree.threshold[later.test] < tree.threshold[test]
        : tree.threshold[later.test] > tree.threshold[test]));
  };
  return steps.filter(isTightest).map(({ test, branch }) => conditionText(tree, columns, test, branch));
}

// What a node answers by itself: a class and its share, or a number.
export function nodeAnswer(model, tree, node) {
  const response = [...responseOf(tree, node)];
  if (model.classes === null || response.length !== model.classes.length) {
    return { label: -1, value: response[0], text: numberText(response[0]) };
  }
  const label = mostProbable(response);
  return { label, value: response[label], text: model.classes[label] };
}

export function describeNode(model, tree, columns, node) {
  const share = percentText(tree.weight[node] / (tree.weight[0] || 1));
  const answer = nodeAnswer(model, tree, node);
  const sure = answer.label >= 0 ? ` ${percentText(answer.value)}` : "";
  const from = node ? `${conditionText(tree, columns, tree.parent[node], node - tree.firstChild[tree.parent[node]])}: ` : "";
  const what = tree.nChildren[node] ? `asks ${subjectText(tree, columns, node)}, ` : "leaf, ";
  return `${from}${what}answers ${answer.text}${sure}, ${share} of the rows`;
}
