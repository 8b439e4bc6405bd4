// The tree on the page: what is open, where it is seen from, and how a row flows through it.

import { makeNotes, spreadRow, gateSettings } from "../engine/flow.js";
import { encodeRow } from "../engine/reader.js";
import { pathTo } from "../engine/trees.js";
import { drawEdge, drawNode, drawReached, edgePath, WIDEST } from "./drawing.js";
import { html, svg } from "./elements.js";
import { openAbove, openByMass, placeNodes } from "./layout.js";
import { branchText, percentText, subjectText, conditionText } from "./words.js";

const LINES = 24; // that are open at first
const DEEPEST = 4; // levels that are open at first
const LEAST_SCALE = 0.72; // texts stay readable; what does not fit is moved into sight
const MARGIN = 24;
const BEYOND = 200; // pixels out of sight in which the flow is drawn
const FEW_NODES = 100; // so many are drawn anew without thinking
const LEAST_SEEN = 0.0005; // of a row's mass: less is not written out

export class Canvas {
  // `place` is that of the model; a page that compares has two canvases.
  constructor(state, place, container) {
    this.state = state;
    this.place = place;
    this.root = 0;
    this.marked = new Set();
    this.reached = new Map(); // what is drawn over the nodes that the row reaches
    this.crumbs = html("nav", { class: "crumbs", "aria-label": "Way to the node" });
    this.picture = svg("svg", { class: "tree", role: "tree", "aria-label": "Decision tree" });
    this.layer = svg("g", {});
    this.picture.append(this.layer);
    // What changes with every step of a slider is a picture of its own: the large one stays as it is.
    this.flowPicture = svg("svg", { class: "flows", "aria-hidden": "true", "aria-label": "Flow of the row" });
    this.flowLayer = svg("g", {});
    this.rowLayer = svg("g", {});
    this.foundLayer = svg("g", {});
    this.flowLayer.append(this.rowLayer, this.foundLayer);
    this.flowPicture.append(this.flowLayer);
    container.append(this.crumbs, html("div", { class: "pictures" }, this.picture, this.flowPicture));
    this.view = { x: 0, y: 0, scale: 1 };
    this.size = { width: 0, height: Infinity };
    this.listen();
    this.reset();
  }

  get model() { return this.state.models[this.place]; }

  get shownTree() { return this.place === this.state.place ? this.state.shownTree : 0; }

  get tree() { return this.model.trees[this.shownTree]; }

  reset() {
    this.root = 0;
    this.open = openByMass(this.tree, 0, LINES, DEEPEST);
    const inner = this.numbersOfLeaves();
    this.range = [Math.min(...inner), Math.max(...inner)];
    this.draw();
    this.fit();
  }

  numbersOfLeaves() {
    const { tree } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let node = 0; node < tree.nNodes; node += 1) {
      low = Math.min(low, tree.response[node * tree.nOutputs]);
      high = Math.max(high, tree.response[node * tree.nOutputs]);
    }
    return [low, high];
  }

  // -- drawing ---------------------------------------------------------------

  draw() {
    const { tree, state } = this;
    this.laid = placeNodes(tree, this.root, this.open);
    this.elements = new Map();
    const edges = svg("g", {});
    const nodes = svg("g", {});
    for (const node of this.laid.nodes) {
      const place = this.laid.places.get(node);
      const element = drawNode(this.model, tree, state.columns, node, place, this.open.has(node), this.range);
      const entry = { node: element, edge: null };
      if (node !== this.root) {
        const from = this.laid.places.get(tree.parent[node]);
        entry.edge = drawEdge(tree, state.columns, node, from, place);
        edges.append(entry.edge);
      }
      nodes.append(element);
      this.elements.set(node, entry);
    }
    this.layer.replaceChildren(edges, nodes);
    this.reached.clear();
    this.rowLayer.replaceChildren();
    this.showFlow();
    this.showFound();
    this.showSelected(false);
    this.showMarked();
  }

  // Of a large tree only what is in sight, unless `all` of it is to be saved.
  showFlow(all = false) {
    const notes = this.model.notes[this.shownTree];
    const gone = new Set(this.reached.keys());
    const isInSight = all ? () => true : this.sight();
    for (let k = 0; k < notes.nReached; k += 1) {
      const node = notes.queue[k];
      const place = this.laid.places.get(node);
      if (!place || !isInSight(place)) continue;
      gone.delete(node);
      this.setMass(node, notes.mass[node]);
    }
    for (const node of gone) {
      this.reached.get(node).group.remove();
      this.reached.delete(node);
    }
  }

  sight() {
    const { y, scale } = this.view;
    const low = (-BEYOND - y) / scale;
    const high = (this.size.height + BEYOND - y) / scale;
    return (place) => place.y >= low && place.y <= high;
  }

  setMass(node, mass) {
    let drawn = this.reached.get(node);
    if (!drawn) {
      const from = node === this.root ? null : this.laid.places.get(this.tree.parent[node]);
      drawn = drawReached(from, this.laid.places.get(node), this.open.has(node), !this.tree.nChildren[node]);
      this.reached.set(node, drawn);
      this.rowLayer.append(drawn.group);
    }
    if (drawn.mass === mass) return;
    drawn.mass = mass;
    drawn.edge?.setAttribute("stroke-width", Math.max(1.5, WIDEST * mass));
    if (drawn.text) drawn.text.textContent = mass > LEAST_SEEN ? percentText(mass) : "";
  }

  // Open the way of the nearest row with another answer, to where most of it goes.
  revealFound() {
    const notes = this.spreadFound();
    if (!notes) return;
    let heaviest = 0;
    for (let k = 0; k < notes.nReached; k += 1) {
      const node = notes.queue[k];
      if (!this.tree.nChildren[node] && (heaviest === 0 || notes.mass[node] > notes.mass[heaviest])) heaviest = node;
    }
    const hidden = pathTo(this.tree, heaviest).slice(0, -1).filter((node) => !this.open.has(node));
    hidden.forEach((node) => this.open.add(node));
    if (hidden.length) this.draw();
    else this.showFound();
  }

  spreadFound() {
    const { found } = this.state;
    if (!found || this.place !== this.state.place) return null;
    const settings = gateSettings(this.model.softness, this.state.softness[this.place]);
    return spreadRow(this.tree, settings, encodeRow(this.model, this.state.columns, found.row), makeNotes(this.tree));
  }

  showFound() {
    const notes = this.spreadFound();
    const paths = [];
    for (let k = 1; k < (notes?.nReached ?? 0); k += 1) {
      const node = notes.queue[k];
      const to = this.laid.places.get(node);
      const from = this.laid.places.get(this.tree.parent[node]);
      if (!to || !from) continue;
      const width = Math.max(1.5, 0.5 * WIDEST * notes.mass[node]);
      paths.push(svg("path", { class: "other-flow", d: edgePath(from, to), "stroke-width": width }));
    }
    this.foundLayer.replaceChildren(...paths);
  }

  showSelected(moves = true) {
    const selected = this.place === this.state.place ? this.state.node : 0;
    for (const [node, { node: element }] of this.elements) {
      const isSelected = node === selected;
      element.setAttribute("aria-selected", String(isSelected));
      element.setAttribute("tabindex", isSelected ? "0" : "-1");
      element.classList.toggle("selected", isSelected);
    }
    if (!this.elements.has(selected)) this.elements.get(this.root).node.setAttribute("tabindex", "0");
    this.showCrumbs(selected);
    if (moves && this.elements.has(selected)) this.scrollTo(selected);
  }

  showCrumbs(selected) {
    const { tree, state } = this;
    const path = pathTo(tree, selected);
    this.crumbs.replaceChildren(...path.map((node, k) => {
      const text = k === 0 ? (subjectText(tree, state.columns, 0, 2) ? "all rows" : "the only leaf")
        : conditionText(tree, state.columns, path[k - 1], node - tree.firstChild[path[k - 1]]);
      return html("button", {
        type: "button", "aria-current": node === selected ? "true" : null,
        onclick: () => this.choose(node, true),
      }, text);
    }));
    if (this.root) {
      this.crumbs.append(html("button", { type: "button", class: "strong", onclick: () => this.focusOn(0) }, "show the whole tree"));
    } else if (selected && tree.nChildren[selected]) {
      this.crumbs.append(html("button", { type: "button", class: "strong", onclick: () => this.focusOn(selected) }, "show this branch only"));
    }
  }

  // Nodes that were searched for; and, beside another model, those that are not the same there.
  showMarked() {
    const changes = this.state.content.changes?.marks[this.place] ?? {};
    for (const [node, { node: element }] of this.elements) {
      element.classList.toggle("marked", this.marked.has(node));
      element.classList.toggle("changed", node in changes);
    }
  }

  // -- what is open -----------------------------------------------------------

  setOpen(open) {
    this.open = open;
    this.draw();
    this.fit();
  }

  openAbove(share) { this.setOpen(openAbove(this.tree, this.root, share)); }

  focusOn(node) {
    this.root = node;
    this.setOpen(openByMass(this.tree, node, LINES, DEEPEST));
  }

  toggle(node) {
    if (!this.tree.nChildren[node]) return;
    if (this.open.has(node)) this.open.delete(node);
    else this.open.add(node);
    this.draw();
  }

  // Select a node; open what hides it.
  choose(node, takesFocus = false) {
    const path = pathTo(this.tree, node);
    if (!path.includes(this.root)) this.root = 0;
    const hidden = path.slice(0, -1).filter((at) => !this.open.has(at));
    if (hidden.length || !this.elements.has(node)) {
      hidden.forEach((at) => this.open.add(at));
      this.draw();
    }
    this.state.select(node, this.place);
    if (takesFocus) this.elements.get(node).node.focus({ preventScroll: true });
  }

  mark(nodes) {
    this.marked = new Set(nodes);
    for (const node of nodes) {
      for (const at of pathTo(this.tree, node).slice(0, -1)) this.open.add(at);
    }
    this.draw();
  }

  // -- where it is seen from ----------------------------------------------------

  applyView() {
    if (this.elements.size > FEW_NODES && !this.waits) {
      this.waits = true;
      requestAnimationFrame(() => { this.waits = false; this.showFlow(); });
    }
    const { x, y, scale } = this.view;
    for (const layer of [this.layer, this.flowLayer]) layer.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
  }

  fit() {
    this.size = this.picture.getBoundingClientRect();
    const { width, height } = this.size;
    const room = { width: Math.max(width - 2 * MARGIN, 50), height: Math.max(height - 2 * MARGIN, 50) };
    const whole = Math.min(room.width / this.laid.width, room.height / this.laid.height);
    const scale = Math.min(Math.max(whole, LEAST_SCALE), 1.15);
    const free = room.height - this.laid.height * scale;
    // A tree that is too tall begins at its root, and is moved from there.
    const top = free > 0 ? free / 2 : Math.min(0, room.height / 2 - this.laid.places.get(this.root).y * scale);
    this.view = { x: MARGIN, y: MARGIN + 17 * scale + top, scale };
    this.applyView();
  }

  zoom(factor, at = null) {
    const { width, height } = this.picture.getBoundingClientRect();
    const point = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(Math.max(this.view.scale * factor, 0.05), 4);
    const real = scale / this.view.scale;
    this.view = { x: point.x - (point.x - this.view.x) * real, y: point.y - (point.y - this.view.y) * real, scale };
    this.applyView();
  }

  scrollTo(node) {
    const place = this.laid.places.get(node);
    const { width, height } = this.picture.getBoundingClientRect();
    const x = this.view.x + place.x * this.view.scale;
    const y = this.view.y + place.y * this.view.scale;
    if (x < 0 || x + 128 * this.view.scale > width) this.view.x += width / 3 - x;
    if (y < 20 || y > height - 20) this.view.y += height / 2 - y;
    this.applyView();
  }

  // -- mouse, touch and keys -----------------------------------------------------

  listen() {
    let from = null;
    this.picture.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: false };
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      const moved = { x: event.clientX - from.x, y: event.clientY - from.y };
      if (!from.moved && Math.hypot(moved.x, moved.y) < 4) return;
      if (!from.moved) this.picture.setPointerCapture(event.pointerId);
      from.moved = true;
      this.view = { ...this.view, x: from.view.x + moved.x, y: from.view.y + moved.y };
      this.applyView();
    });
    this.picture.addEventListener("click", (event) => {
      if (from?.moved) return;
      const element = event.target.closest("[data-node]");
      if (!element) return;
      const node = Number(element.dataset.node);
      if (event.detail === 2) this.toggle(node);
      this.choose(node, true);
    });
    this.picture.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.picture.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - box.x, y: event.clientY - box.y });
    }, { passive: false });
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("focusin", (event) => {
      const element = event.target.closest("[data-node]");
      if (element && this.place !== this.state.place) this.choose(Number(element.dataset.node), true);
    });
  }

  key(event) {
    const element = event.target.closest("[data-node]");
    if (!element || event.ctrlKey || event.altKey || event.metaKey) return;
    const node = Number(element.dataset.node);
    const { nodes } = this.laid;
    const at = nodes.indexOf(node);
    const goes = {
      ArrowDown: () => nodes[Math.min(at + 1, nodes.length - 1)],
      ArrowUp: () => nodes[Math.max(at - 1, 0)],
      Home: () => nodes[0],
      End: () => nodes[nodes.length - 1],
      ArrowRight: () => {
        if (!this.tree.nChildren[node]) return node;
        if (this.open.has(node)) return this.tree.firstChild[node];
        this.toggle(node);
        return node;
      },
      ArrowLeft: () => {
        if (this.open.has(node)) {
          this.toggle(node);
          return node;
        }
        return node === this.root ? node : this.tree.parent[node];
      },
      Enter: () => { this.toggle(node); return node; },
      " ": () => { this.toggle(node); return node; },
    }[event.key];
    if (!goes) return;
    event.preventDefault();
    this.choose(goes(), true);
  }

  // Nodes whose column, condition or answer has the words in it.
  search(words) {
    const { tree, state } = this;
    const wanted = words.trim().toLowerCase();
    const found = [];
    if (!wanted) return found;
    for (let node = 0; node < tree.nNodes; node += 1) {
      const texts = [subjectText(tree, state.columns, node)];
      if (node) {
        const parent = tree.parent[node];
        texts.push(`${subjectText(tree, state.columns, parent)} ${branchText(tree, state.columns, parent, node - tree.firstChild[parent])}`);
      }
      if (!tree.nChildren[node] && this.model.classes) texts.push(this.elementsText(node));
      if (texts.some((text) => text.toLowerCase().includes(wanted))) found.push(node);
    }
    return found;
  }

  elementsText(node) {
    const response = [...this.tree.response.subarray(node * this.tree.nOutputs, (node + 1) * this.tree.nOutputs)];
    return this.model.classes[response.indexOf(Math.max(...response))] ?? "";
  }
}
