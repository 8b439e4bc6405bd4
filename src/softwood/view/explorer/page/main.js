// The page: reads the data, builds the parts, and connects them.

import { arrayAt, unpackBlock } from "../engine/block.js";
import { ask } from "../engine/forest.js";
import { nearestOther } from "../engine/nearest.js";
import { encodeRow, MISSING, UNKNOWN } from "../engine/reader.js";
import { readTrees } from "../engine/trees.js";
import { Canvas } from "./canvas.js";
import { byId, html } from "./elements.js";
import { buildMembers, drawModelPanel } from "./model_panel.js";
import { drawNodePanel } from "./node_panel.js";
import { buildChooser, buildControls, buildWhyNot, drawAnswer } from "./row_panel.js";
import { buildRules } from "./rules_panel.js";
import { pictureText, pngOf, savePng, saveSvg } from "./saving.js";
import { State } from "./state.js";
import { countText, numberText, percentText } from "./words.js";

const TABS = ["row", "node", "rules", "model"];

function readModels(buffer, content) {
  return content.models.map((written) => ({
    ...written, trees: readTrees(buffer, written.trees, written.softness), notes: [],
  }));
}

function readSample(buffer, content) {
  if (!content.rows) return null;
  const { nRows, ofRows } = content.rows;
  const columns = arrayAt(buffer, content.rows.columns);
  const row = (i) => Float64Array.from(content.columns, (_, j) => columns[j * nRows + i]);
  const shown = (value, column) => {
    if (Number.isNaN(value)) return MISSING;
    return column.categories && value < 0 ? UNKNOWN : value;
  };
  return {
    nRows,
    ofRows,
    row,
    numbers: arrayAt(buffer, content.rows.numbers),
    target: content.rows.target ? arrayAt(buffer, content.rows.target) : null,
    values: (i) => [...row(i)].map((value, j) => shown(value, content.columns[j])),
  };
}

function buildTabs() {
  const buttons = TABS.map((name) => byId(`tab-${name}`));
  const show = (chosen) => buttons.forEach((button, k) => {
    const isChosen = button === chosen;
    button.setAttribute("aria-selected", String(isChosen));
    button.setAttribute("tabindex", isChosen ? "0" : "-1");
    byId(`panel-${TABS[k]}`).hidden = !isChosen;
  });
  buttons.forEach((button, k) => {
    button.addEventListener("click", () => show(button));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = buttons[(k + by + buttons.length) % buttons.length];
      show(next);
      next.focus();
    });
  });
  return (name) => show(byId(`tab-${name}`));
}

function buildSoftness(state) {
  const slider = byId("softness");
  const text = byId("softness-text");
  const refresh = () => {
    const { softness } = state.model;
    slider.max = softness.most;
    const at = state.softness[state.place];
    if (document.activeElement !== slider) slider.value = at;
    const own = at === softness.start ? ", as the model is" : "";
    text.textContent = at === 0 ? `hard${own}` : `${softness.kind === "noise" ? "λ = " : "widths × "}${numberText(at, 3)}${own}`;
  };
  slider.step = "any";
  slider.addEventListener("input", () => state.setSoftness(Number(slider.value)));
  byId("softness-reset").addEventListener("click", () => state.setSoftness(state.model.softness.start));
  state.on("row", refresh);
  refresh();
}

function buildToolbar(state, canvases) {
  const current = () => canvases.find((canvas) => canvas.place === state.place) ?? canvases[0];
  const mass = byId("open-share");
  mass.addEventListener("input", () => {
    const share = mass.value >= 100 ? 0 : 10 ** (-4 * (mass.value / 100)); // from all mass to 0.01 %
    byId("open-share-text").textContent = share ? `branches with ${percentText(share)} of the rows or more` : "all branches";
    canvases.forEach((canvas) => canvas.openAbove(share));
  });
  const search = byId("search");
  const found = byId("search-found");
  let hits = [];
  let at = -1;
  const look = () => {
    hits = current().search(search.value);
    at = -1;
    found.textContent = search.value.trim() ? countText(hits.length, "node") : "";
    current().mark(hits.length <= 200 ? hits : []);
  };
  search.addEventListener("input", look);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !hits.length) return;
    at = (at + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
    current().choose(hits[at]);
    found.textContent = `${at + 1} of ${countText(hits.length, "node")}`;
  });
  byId("zoom-in").addEventListener("click", () => current().zoom(1.25));
  byId("zoom-out").addEventListener("click", () => current().zoom(0.8));
  byId("zoom-fit").addEventListener("click", () => canvases.forEach((canvas) => canvas.fit()));
  byId("save-svg").addEventListener("click", () => saveSvg(current()));
  byId("save-png").addEventListener("click", () => savePng(current()));
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });
}

function buildCanvases(state) {
  const box = byId("trees");
  const places = state.content.isPair ? [0, 1] : [0];
  return places.map((place) => {
    const part = html("section", { class: "canvas", "aria-label": state.models[place].name });
    if (places.length > 1) part.append(html("h2", {}, `${place ? "second" : "first"}: ${state.models[place].name}`));
    box.append(part);
    return new Canvas(state, place, part);
  });
}

function connect(state, canvases, showTab) {
  const current = () => canvases.find((canvas) => canvas.place === state.place) ?? canvases[0];
  const drawRules = buildRules(state, current, byId("panel-rules"));
  const drawNode = () => drawNodePanel(state, current(), byId("panel-node"));
  const isShown = (name) => !byId(`panel-${name}`).hidden;
  const refreshShown = () => {
    if (isShown("node")) drawNode();
    if (isShown("rules")) drawRules();
  };
  state.on("row", () => {
    drawAnswer(state, byId("answer"));
    canvases.forEach((canvas) => { canvas.showFlow(); canvas.showFound(); });
    refreshShown();
  });
  state.on("found", () => canvases.forEach((canvas) => canvas.revealFound()));
  state.on("node", () => {
    canvases.forEach((canvas) => canvas.showSelected());
    drawNode();
    if (isShown("rules")) drawRules();
    else showTab("node");
  });
  state.on("tree", () => {
    if (!state.content.isPair) [canvases[0].place] = [state.place];
    canvases[0].reset();
    drawModelPanel(state, canvases, byId("panel-model"));
  });
  for (const name of TABS) byId(`tab-${name}`).addEventListener("click", refreshShown);
  drawAnswer(state, byId("answer"));
  drawModelPanel(state, canvases, byId("panel-model"));
  drawNode();
  drawRules();
}

// What tests and curious readers ask of the page.
function offerTools(state, canvases) {
  globalThis.softwood = {
    state,
    canvases,
    predict: (row, place = 0, at = state.models[place].softness.start) => {
      const found = ask(state.models[place], encodeRow(state.models[place], state.columns, row), at);
      const copy = { answer: [...found.answer], label: found.label, confidence: found.confidence };
      state.askAll();
      return copy;
    },
    nearest: (row, target = null, place = 0, at = state.models[place].softness.start) => {
      const model = state.models[place];
      const found = nearestOther(model, state.columns, encodeRow(model, state.columns, row), at, target);
      state.askAll();
      return found && { point: [...found.point], distance: found.distance, isExact: found.isExact };
    },
    svg: () => pictureText(canvases[0]).text,
    png: async () => (await pngOf(canvases[0])).size,
  };
}

async function start() {
  const content = JSON.parse(byId("data").textContent);
  const buffer = await unpackBlock(content.arrays);
  const state = new State(content, readModels(buffer, content), readSample(buffer, content));
  const canvases = buildCanvases(state);
  const showTab = buildTabs();
  buildToolbar(state, canvases);
  buildMembers(state, byId("members"));
  buildChooser(state, byId("chooser"));
  buildControls(state, byId("controls"));
  buildWhyNot(state, byId("other-answer"));
  buildSoftness(state);
  connect(state, canvases, showTab);
  offerTools(state, canvases);
  if (state.sample) state.setRow(state.sample.values(0), 0);
  canvases.forEach((canvas) => canvas.fit());
  addEventListener("resize", () => canvases.forEach((canvas) => canvas.fit()));
  performance.mark("ready");
  document.documentElement.dataset.ready = "true";
}

start();
