"use strict";

// Tables: a click on a heading sorts by its column; numbers as numbers.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const falls = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
      const text = (row) => row.cells[column].textContent.trim();
      const rows = [...body.rows].sort((one, other) =>
        text(one).localeCompare(text(other), "en", { numeric: true }));
      body.append(...(falls ? rows.reverse() : rows));
    });
  });
}

// The index: filters by what is left to do, and by name.
const functions = document.querySelector("[data-functions]");
if (functions) {
  const panel = document.querySelector(".filters");
  const buttons = [...panel.querySelectorAll("[data-filter]")];
  const search = panel.querySelector("[data-search]");
  const rows = [...functions.tBodies[0].rows];
  panel.hidden = false;
  const show = () => {
    const chosen = buttons.find((button) => button.getAttribute("aria-pressed") === "true").dataset.filter;
    const wanted = search.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      const fits = (!chosen || row.dataset[chosen] !== "0") && row.cells[0].textContent.toLowerCase().includes(wanted);
      row.hidden = !fits;
      count += fits;
    }
    panel.querySelector("[data-count]").textContent = `${count} of ${rows.length}`;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show();
    });
  }
  search.addEventListener("input", show);
  show();
}

// Sources: keys go to the next or previous undecided condition, to the next finding, and to the index.
const go = (selector, step) => {
  const rows = [...document.querySelectorAll(selector)];
  if (!rows.length) return;
  const here = document.activeElement.closest("tr");
  const after = rows.find((row) => here && here.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
  const before = rows.findLast((row) => here && here.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING);
  const row = step > 0 ? after || rows[0] : before || rows[rows.length - 1];
  row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
  if (event.key === "n") go("table.source tr.undecided", 1);
  else if (event.key === "p") go("table.source tr.undecided", -1);
  else if (event.key === "f") go("table.source tr.finding", 1);
  else if (event.key === "i" && document.querySelector("table.source")) document.querySelector("nav a").click();
});
