// What the reader of the page has chosen. Parts of the page listen, and draw themselves anew.

import { withParts } from "../engine/dates.js";
import { ask } from "../engine/forest.js";
import { encodeRow } from "../engine/reader.js";

export class State {
  constructor(content, models, sample) {
    this.content = content;
    this.columns = content.columns;
    this.models = models;
    this.sample = sample;
    this.place = 0; // of the model that the panels are about
    this.shownTree = 0; // of its trees
    this.node = 0;
    this.row = this.usualRow();
    this.rowNumber = null; // in the sample, unless it was changed by hand
    this.softness = models.map((model) => model.softness.start);
    this.found = null; // the nearest row with another answer
    this.listeners = { row: [], node: [], tree: [], found: [] };
    this.answers = [];
    this.askAll();
  }

  get model() { return this.models[this.place]; }

  get tree() { return this.model.trees[this.shownTree]; }

  get answer() { return this.answers[this.place]; }

  get encoded() { return encodeRow(this.model, this.columns, this.row); }

  usualRow() { return withParts(this.columns, this.columns.map((column) => column.usual)); }

  on(topics, listener) {
    for (const topic of [].concat(topics)) this.listeners[topic].push(listener);
  }

  tell(topic) {
    for (const listener of this.listeners[topic]) listener();
  }

  askAll() {
    this.answers = this.models.map((model, k) => {
      if (!this.content.isPair && k !== this.place) return this.answers[k];
      const shown = k === this.place ? this.shownTree : 0;
      return ask(model, encodeRow(model, this.columns, this.row), this.softness[k], shown);
    });
  }

  rowChanged() {
    this.found = null;
    this.askAll();
    this.tell("row");
  }

  setValue(j, value) {
    this.row[j] = value;
    this.row = withParts(this.columns, this.row);
    this.rowNumber = null;
    this.rowChanged();
  }

  setRow(row, rowNumber = null) {
    this.row = [...row];
    this.rowNumber = rowNumber;
    this.rowChanged();
  }

  setSoftness(at) {
    // Both models of a pair get as much softer, by their own units.
    const times = at / this.model.softness.unit;
    this.softness = this.models.map((model, k) => (k === this.place ? at : times * model.softness.unit));
    this.rowChanged();
  }

  select(node, place = this.place) {
    if (place !== this.place) this.place = place;
    this.node = node;
    this.tell("node");
  }

  showTree(place, shownTree) {
    this.place = place;
    this.shownTree = shownTree;
    this.node = 0;
    this.found = null;
    this.askAll();
    this.tell("tree");
    this.tell("row");
    this.tell("node");
  }

  setFound(found) {
    this.found = found;
    this.tell("found");
  }
}
