// The row that flows: a control for each column, what is answered, and what would change it.

import { nearestOther } from "../engine/nearest.js";
import { MISSING, takesUnknown, UNKNOWN, encodeRow } from "../engine/reader.js";
import { colourOf, html, svg } from "./elements.js";
import { shareBars } from "./node_panel.js";
import { countText, dateText, daysOf, numberText, percentText, valueText } from "./words.js";

const FIRST_COLUMNS = 40;

// -- what is answered ------------------------------------------------------------

export function drawAnswer(state, panel) {
  const places = state.content.isPair ? state.models.map((_, k) => k) : [state.place];
  panel.replaceChildren(...places.flatMap((place) => [
    ...(places.length > 1 ? [html("h3", {}, `${place ? "second" : "first"}: ${state.models[place].name}`)] : []),
    ...answerParts(state, place),
  ]));
}

function answerParts(state, place) {
  const [model, answer] = [state.models[place], state.answers[place]];
  const parts = [];
  if (model.classes) {
    parts.push(
      html("p", { class: "answer" }, html("span", { class: "swatch", style: `background:${colourOf(answer.label)}` }),
        html("strong", {}, model.classes[answer.label]), ` · confidence ${percentText(answer.confidence)}`),
      shareBars(model, answer.answer),
    );
  } else {
    const spread = answer.spread > 0 ? ` · ${model.trees.length > 1 ? "trees" : "leaves"} differ by ${numberText(answer.spread, 3)}` : "";
    parts.push(html("p", { class: "answer" }, html("strong", {}, numberText(answer.answer[0], 7)), spread));
  }
  if (model.trees.length > 1) parts.push(scatter(model, answer, place === state.place ? state.shownTree : 0));
  if (model.nShown < model.nTrees) parts.push(html("p", { class: "quiet" }, `These are the answers of the first ${model.nShown} of ${model.nTrees} trees: more do not fit on a page.`));
  return parts;
}

// How the members of an ensemble answer the row, one point each.
function scatter(model, answer, shownTree) {
  const isVote = model.classes !== null && model.sum.link === "identity" && model.trees[0].nOutputs > 1;
  const values = answer.answers.map((one) => (isVote ? one[answer.label] : one[0]));
  const low = isVote ? 0 : Math.min(...values);
  const high = isVote ? 1 : Math.max(...values);
  const x = (value) => 6 + (308 * (value - low)) / (high - low || 1);
  const text = isVote ? percentText : numberText;
  return html("figure", {},
    svg("svg", { viewBox: "0 0 320 44", role: "img", class: "picture", "aria-label": `Answers of ${values.length} trees, from ${text(low)} to ${text(high)}` },
      ...values.map((value, t) => svg("circle", {
        cx: x(value), cy: 8 + ((t * 7) % 20), r: 3, class: t === shownTree ? "member shown" : "member",
      })),
      svg("text", { class: "axis", x: 2, y: 42 }, text(low)), svg("text", { class: "axis end", x: 318, y: 42 }, text(high))),
    html("figcaption", { class: "quiet" }, isVote ? `what each tree gives ${model.classes[answer.label]}` : "what each tree adds"));
}

// -- controls ----------------------------------------------------------------------

function sliderStep(column) {
  return column.isWhole && !column.isDate ? 1 : "any";
}

function numberControl(state, column, j, id) {
  const range = html("input", {
    type: "range", id, min: column.low, max: column.high, step: sliderStep(column), "aria-label": column.name,
    oninput: (event) => state.setValue(j, Number(event.target.value)),
  });
  const exact = html("input", column.isDate
    ? { type: "date", "aria-label": `${column.name}, date`, onchange: (event) => state.setValue(j, daysOf(event.target.value)) }
    : {
      type: "number", step: "any", "aria-label": `${column.name}, number`,
      oninput: (event) => state.setValue(j, event.target.value === "" ? MISSING : event.target.valueAsNumber),
    });
  const missing = html("input", {
    type: "checkbox", "aria-label": `${column.name} is missing`,
    onchange: (event) => state.setValue(j, event.target.checked ? MISSING : Number(range.value)),
  });
  exact.disabled = missing.disabled = column.madeOf !== null;
  const refresh = () => {
    const value = state.row[j];
    missing.checked = value === MISSING;
    range.disabled = value === MISSING || column.madeOf !== null;
    if (value !== MISSING && document.activeElement !== range) range.value = value;
    if (document.activeElement === exact) return;
    if (column.isDate) exact.value = value === MISSING ? "" : dateText(value);
    else exact.value = value === MISSING ? "" : Number(value.toPrecision(7));
  };
  return { parts: [range, exact, html("label", { class: "missing" }, missing, "missing")], refresh };
}

function categoryControl(state, column, j, id) {
  const options = column.categories.map((name, code) => html("option", { value: code }, name));
  options.push(html("option", { value: "missing" }, "— missing —"));
  if (takesUnknown(state.model, column)) options.push(html("option", { value: "unknown" }, "— never seen —"));
  const select = html("select", {
    id,
    onchange: (event) => {
      const { value } = event.target;
      state.setValue(j, value === "missing" ? MISSING : value === "unknown" ? UNKNOWN : Number(value));
    },
  }, ...options);
  const refresh = () => { select.value = state.row[j] === MISSING ? "missing" : String(state.row[j]); };
  return { parts: [select], refresh };
}

// Columns in the order in which they matter; those that no tree asks come last.
function orderOf(state) {
  const used = new Set();
  for (const model of state.models) {
    for (const tree of model.trees) {
      tree.feature.forEach((feature) => used.add(feature));
      tree.termFeature.forEach((feature) => used.add(feature));
    }
  }
  const share = (j) => (state.model.importances?.[j] ?? 0) + (used.has(j) ? 1 : 0);
  const order = state.columns.map((_, j) => j).sort((a, b) => share(b) - share(a) || a - b);
  return { order, used };
}

function noteOn(state, column, isUsed) {
  const notes = [];
  if (column.madeOf) notes.push(`follows ${state.columns[column.madeOf.column].name}`);
  if (!isUsed) notes.push("not asked");
  return notes.length ? ` (${notes.join(", ")})` : "";
}

export function buildControls(state, box) {
  const { order, used } = orderOf(state);
  const refreshers = [];
  const build = (j) => {
    const column = state.columns[j];
    const id = `column-${j}`;
    const { parts, refresh } = column.categories ? categoryControl(state, column, j, id) : numberControl(state, column, j, id);
    refreshers.push(refresh);
    refresh();
    return html("div", { class: used.has(j) ? "control" : "control unused", "data-column": j },
      html("label", { for: id }, column.name, html("span", { class: "quiet" }, noteOn(state, column, used.has(j)))),
      html("div", { class: "inputs" }, ...parts));
  };
  box.replaceChildren(...order.slice(0, FIRST_COLUMNS).map(build));
  if (order.length > FIRST_COLUMNS) {
    const more = html("button", { type: "button", onclick: () => more.replaceWith(...order.slice(FIRST_COLUMNS).map(build)) },
      `show ${countText(order.length - FIRST_COLUMNS, "further column")}`);
    box.append(more);
  }
  state.on("row", () => refreshers.forEach((refresh) => refresh()));
}

export function buildChooser(state, box) {
  const { sample } = state;
  if (!sample) {
    box.replaceChildren();
    return;
  }
  const number = html("input", {
    type: "number", id: "row-number", min: 1, max: sample.nRows, value: "", "aria-label": "Row of the sample",
    oninput: (event) => {
      const i = event.target.valueAsNumber - 1;
      if (i >= 0 && i < sample.nRows) state.setRow(sample.values(i), i);
    },
  });
  const step = (by) => {
    const i = ((state.rowNumber ?? (by > 0 ? -1 : sample.nRows)) + by + sample.nRows) % sample.nRows;
    state.setRow(sample.values(i), i);
  };
  const truth = html("span", { class: "quiet" });
  box.replaceChildren(
    html("label", { for: "row-number" }, "row "), number, ` of ${sample.nRows} `,
    html("button", { type: "button", "aria-label": "Previous row", onclick: () => step(-1) }, "‹"),
    html("button", { type: "button", "aria-label": "Next row", onclick: () => step(1) }, "›"),
    html("button", { type: "button", onclick: () => state.setRow(state.usualRow()) }, "usual values"),
    truth,
  );
  state.on("row", () => {
    if (document.activeElement !== number) number.value = state.rowNumber === null ? "" : state.rowNumber + 1;
    truth.textContent = truthText(state);
  });
}

function truthText(state) {
  const { sample, rowNumber, model } = state;
  if (rowNumber === null || !sample.target) return "";
  const value = sample.target[rowNumber];
  const place = sample.ofRows > sample.nRows ? `row ${sample.numbers[rowNumber]} of the table; ` : "";
  const known = model.classes ? (value < 0 ? "a class that the model does not know" : model.classes[value]) : numberText(value);
  return `${place}${state.content.target} is ${known}`;
}

// -- what would change the answer -----------------------------------------------------

export function buildWhyNot(state, box) {
  const { model } = state;
  if (!model.classes) {
    box.replaceChildren(html("p", { class: "quiet" }, "The answer is a number: move the columns to see what changes it."));
    return;
  }
  const target = html("select", { "aria-label": "Wanted answer" }, html("option", { value: "" }, "any other answer"),
    ...model.classes.map((name, k) => html("option", { value: k }, name)));
  const said = html("div", { "aria-live": "polite" });
  const find = () => {
    const wanted = target.value === "" ? null : Number(target.value);
    if (wanted === state.answer.label) {
      said.replaceChildren(html("p", {}, `The answer is ${model.classes[wanted]} already.`));
      return;
    }
    const from = encodeRow(state.model, state.columns, state.row);
    const found = nearestOther(state.model, state.columns, from, state.softness[state.place], wanted);
    if (!found) {
      said.replaceChildren(html("p", {}, "No such row was found."));
      return;
    }
    const row = state.row.map((value, j) => (found.point[j] === from[j] || Number.isNaN(found.point[j]) ? value : found.point[j]));
    state.setFound({ ...found, row });
    said.replaceChildren(...sentence(state, row, found));
  };
  box.replaceChildren(html("div", { class: "line" }, target, html("button", { type: "button", id: "why-not", onclick: find }, "What would change it?")), said);
  state.on("row", () => said.replaceChildren());
}

function sentence(state, row, found) {
  const changes = state.columns.map((column, j) => ({ column, from: state.row[j], to: row[j] })).filter(({ from, to }) => from !== to);
  return [
    html("p", {}, "The answer would be another if"),
    html("ul", { class: "conditions" }, ...changes.map(({ column, from, to }) => html("li", {},
      html("strong", {}, column.name), ` were ${valueText(column, to)} `, html("span", { class: "quiet" }, `(is ${valueText(column, from)})`)))),
    html("p", { class: "quiet" }, `Distance ${numberText(found.distance, 3)}, a sum over columns in their deviations, 1 for a category${found.isExact ? "; none is nearer." : "; a nearer one is possible."} Its way is dashed in the tree.`),
    html("button", { type: "button", onclick: () => state.setRow(row) }, "take this row"),
  ];
}
