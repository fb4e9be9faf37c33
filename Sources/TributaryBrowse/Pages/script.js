"use strict";
// The pages work without this script: it adds keys, and figures that change while an import runs.

/** Shows the part of a page at its address again each second, for as long as it asks for that. */
const live = {
  pause: 1000,
  failures: 0,

  start() {
    if (document.querySelector("[data-live]")) this.load();
  },

  async load() {
    if (document.hidden) {
      document.addEventListener("visibilitychange", () => this.load(), { once: true });
      return;
    }
    const parts = [...document.querySelectorAll("[data-live]")];
    const results = await Promise.all(parts.map((part) => this.replace(part)));
    this.failures = results.every(Boolean) ? 0 : this.failures + 1;
    // A server that has ended does not come back.
    if (!document.querySelector("[data-live]")) return;
    if (this.failures < 10) setTimeout(() => this.load(), this.pause);
    else this.sayEnd(document.querySelector("[data-live]"));
  },

  /** Says under an element that its figures are no longer those of now. */
  sayEnd(part) {
    const note = document.createElement("p");
    note.className = "problem";
    note.setAttribute("role", "alert");
    note.textContent = "These figures are no longer updated: the server does not answer. Load the page again.";
    part.append(note);
  },

  /** Replaces an element by the one that its address gives, and keeps the focus. */
  async replace(part) {
    const address = new URL(part.dataset.live, location.href);
    if (address.origin !== location.origin) return false;
    try {
      const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
      if (!answer.ok) return false;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.querySelector("[data-live]") ?? page.body.firstElementChild;
      if (!next) return false;
      if (part.matches(".live") && !next.dataset.live) {
        // The rest of the page is that of a running import, too.
        location.reload();
        return true;
      }
      const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
      part.replaceWith(document.adoptNode(next));
      if (focused) document.getElementById(focused)?.focus();
      return true;
    } catch {
      return false;
    }
  },
};

/** The links of the rows of the page, in their order. */
function rowLinks() {
  const links = document.querySelectorAll("main table.rows tbody th a, main .chips a, main .plain a");
  return [...links].filter((link) => link.checkVisibility());
}

/** Moves the focus to a row before or after the focused one. */
function moveRow(step) {
  const links = rowLinks();
  if (links.length === 0) return;
  const row = document.activeElement.closest("tr");
  let index = links.indexOf(document.activeElement);
  if (index < 0 && row) index = links.findIndex((link) => row.contains(link));
  const next = index < 0 ? (step > 0 ? 0 : links.length - 1) : index + step;
  const link = links[Math.max(0, Math.min(links.length - 1, next))];
  link.focus({ preventScroll: true });
  link.closest("tr, li").scrollIntoView({ block: "nearest" });
}

/** Follows the link to another page of the list, or another object. */
function follow(relation) {
  document.querySelector(`main a[rel="${relation}"]`)?.click();
}

function focusField(id) {
  const field = document.getElementById(id);
  field?.focus();
  field?.select?.();
  return field !== null;
}

const keys = [
  ["/", "Search, or filter", () => focusField("search") || focusField("where")],
  ["f", "Filter", () => focusField("where")],
  ["j", "Next row", () => moveRow(1)],
  ["k", "Previous row", () => moveRow(-1)],
  ["Enter", "Open the row", null],
  ["n", "Next page or object", () => follow("next")],
  ["p", "Previous page or object", () => follow("prev")],
  ["h", "Overview", () => location.assign("/")],
  ["?", "These keys", () => showKeys()],
];

/** Whether single keys do something: people who speak to their computer may not want it. */
function areKeysOn() {
  return localStorage.getItem("keys") !== "off";
}

/** Shows the keys in a dialog. */
function showKeys() {
  let dialog = document.getElementById("keys");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.id = "keys";
    const heading = document.createElement("h2");
    heading.id = "keys-heading";
    heading.textContent = "Keys";
    dialog.setAttribute("aria-labelledby", heading.id);
    const list = document.createElement("dl");
    for (const [key, text] of keys) {
      const [term, description, mark] = ["dt", "dd", "kbd"].map((name) => document.createElement(name));
      mark.textContent = key;
      term.append(mark);
      description.textContent = text;
      list.append(term, description);
    }
    const form = document.createElement("form");
    form.method = "dialog";
    const [label, box] = ["label", "input"].map((name) => document.createElement(name));
    box.type = "checkbox";
    box.checked = areKeysOn();
    box.addEventListener("change", () => localStorage.setItem("keys", box.checked ? "on" : "off"));
    label.append(box, " Use single keys; without them, only ? works");
    form.append(label);
    const button = document.createElement("button");
    button.textContent = "Close";
    form.append(button);
    dialog.append(heading, list, form);
    document.body.append(dialog);
  }
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape" && event.target.matches("input")) {
    event.target.blur();
    return;
  }
  if (event.target.closest("input, select, textarea, dialog")) return;
  const action = keys.find(([key]) => key === event.key)?.[2];
  if (!action || (event.key !== "?" && !areKeysOn())) return;
  event.preventDefault();
  action();
});

// A list of columns with nothing chosen in a field would only make the address longer.
document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("input[name]")) {
    if (field.value === "" && field.type !== "checkbox") field.disabled = true;
  }
});
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll("input:disabled")) field.disabled = false;
});

live.start();
