"use strict";
// The page works without this script. It sorts and filters tables, and unfolds details for printing.

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headers = [...table.tHead.rows[0].cells];

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    if (text === "" || text === "nan") return null;
    const number = Number(text.replace("inf", "Infinity"));
    return Number.isNaN(number) ? text : number;
  };

  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), undefined, { numeric: true });

  const sortBy = (column) => {
    const descending = headers[column].getAttribute("aria-sort") === "ascending";
    const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
    rows.sort((a, b) => {
      // Rows without a value stay at the end in both directions.
      if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
      return descending ? compare(b.value, a.value) : compare(a.value, b.value);
    });
    for (const header of headers) header.removeAttribute("aria-sort");
    headers[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
    body.append(...rows.map(({ row }) => row));
  };

  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    button.addEventListener("click", () => sortBy(column));
    header.append(button);
  });

  if (body.rows.length > 20) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("output");
    input.type = "search";
    input.placeholder = "rows with these words";
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = wanted.length ? `${shown} of ${body.rows.length} rows` : "";
    });
    label.append("Show only ", input);
    const line = document.createElement("p");
    line.className = "filter";
    line.append(label, " ", count);
    table.parentElement.before(line);
  }
}

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
