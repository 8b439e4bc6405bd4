// What the trees of a model answer together: softwood/forest and softwood/interop/imported.py.

import { answerOf, gateSettings, makeNotes, spreadRow } from "./flow.js";
import { LEAF } from "./trees.js";

const TIE = 1e-9; // two classes this close are tied: what differs is rounding
const ALL_OUTPUTS = -1;

const sigmoid = (score) => (score >= 0 ? 1 / (1 + Math.exp(-score)) : Math.exp(score) / (1 + Math.exp(score)));

const LINKS = {
  identity: (scores) => scores,
  logistic: ([score]) => [1 - sigmoid(score), sigmoid(score)],
  sigmoid: (scores) => scores.map(sigmoid),
  softmax: (scores) => {
    const most = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - most));
    const total = parts.reduce((sum, part) => sum + part, 0);
    return parts.map((part) => part / total);
  },
  exponential: (scores) => scores.map(Math.exp),
};

export function mostProbable(probabilities) {
  const best = Math.max(...probabilities) - TIE;
  return probabilities.findIndex((probability) => probability >= best);
}

function largest(values) {
  return values.indexOf(Math.max(...values));
}

// The class that the model picks, as the original does.
function labelOf(model, raw, answer) {
  if (model.rule === "tied") return mostProbable(answer);
  if (model.rule === "largest") return largest(answer);
  if (raw.length > 1) return largest(raw);
  return Number(model.rule === "positive" ? raw[0] > 0 : raw[0] >= 0);
}

export function sumUp(model, answers) {
  const { sum } = model;
  const raw = sum.isMean ? sum.base.map(() => 0) : [...sum.base];
  const divisor = sum.base.map(() => 0);
  answers.forEach((answer, t) => {
    const output = sum.output[t];
    const add = (k, value) => {
      raw[k] += sum.factor[t] * value;
      divisor[k] += sum.factor[t];
    };
    if (output === ALL_OUTPUTS) answer.forEach((value, k) => add(k, value));
    else add(output, answer[0]);
  });
  if (!sum.isMean) return raw;
  return raw.map((value, k) => value / divisor[k] + sum.base[k]);
}

export function answersTo(model, raw) {
  return LINKS[model.sum.link](raw.map((value) => model.sum.slope * value));
}

// Ask a model about an encoded row; `shown` is the tree whose masses are kept.
export function ask(model, row, at, shown = 0) {
  const settings = gateSettings(model.softness, at);
  const answers = model.trees.map((tree, t) => {
    if (!model.notes[t]) model.notes[t] = makeNotes(tree);
    spreadRow(tree, settings, row, model.notes[t]);
    return answerOf(tree, model.notes[t]);
  });
  const raw = sumUp(model, answers);
  const answer = answersTo(model, raw);
  const isClasses = model.classes !== null;
  const label = isClasses ? labelOf(model, raw, answer) : -1;
  return {
    raw,
    answer,
    answers,
    label,
    confidence: isClasses ? confidenceOf(model, row, answer, label) : null,
    spread: isClasses ? null : spreadOf(model, answers),
    notes: model.notes[shown],
  };
}

// How sure a prediction is: its probability or, of a tree bred for noise, the mass of its class.
function confidenceOf(model, row, answer, label) {
  const at = model.softness.confidenceAt;
  if (at === null) return answer[label];
  const [tree] = model.trees;
  const notes = spreadRow(tree, gateSettings(model.softness, at), row, makeNotes(tree), true);
  let mass = 0;
  for (let position = 0; position < notes.nReached; position += 1) {
    const node = notes.queue[position];
    if (tree.kind[node] !== LEAF) continue;
    const response = [...tree.response.subarray(node * tree.nOutputs, (node + 1) * tree.nOutputs)];
    if (mostProbable(response) === label) mass += notes.mass[node];
  }
  return mass;
}

// The deviation of what leaves, or trees, answer: how far opinions on a number differ.
function spreadOf(model, answers) {
  const pairs = [];
  if (model.trees.length > 1) answers.forEach((answer) => pairs.push([1 / answers.length, answer[0]]));
  else {
    const [tree] = model.trees;
    const notes = model.notes[0];
    for (let position = 0; position < notes.nReached; position += 1) {
      const node = notes.queue[position];
      if (tree.kind[node] === LEAF) pairs.push([notes.mass[node], tree.response[node]]);
    }
  }
  const mean = pairs.reduce((sum, [mass, value]) => sum + mass * value, 0);
  return Math.sqrt(pairs.reduce((sum, [mass, value]) => sum + mass * (value - mean) ** 2, 0));
}
