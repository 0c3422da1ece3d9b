/* The table of what is selected, or of all that is drawn when nothing is; and its copy as CSV. */
kg.table = (() => {
  const place = kg.$("table");
  const table = {};
  const most = 500;
  let sorted = null;

  const columns = {
    links: ["Paper", "Year", "Entity", "Type", "Role", "Confidence", "Evidence"],
    nodes: ["Name", "Type", "Papers", "Also called"],
  };

  /* The rows of the nodes chosen: their links, or one row for each drawn node. */
  const rows = async () => {
    const { data, graph, state } = kg;
    const chosen = [...new Set([...graph.chosen(), ...(state.selected === null ? [] : [state.selected])])];
    await Promise.all(chosen.map(data.reach));
    const text = await data.text();
    if (!chosen.length) {
      const nodes = graph.drawn().sort((a, b) => data.isPaper(a) - data.isPaper(b) || data.degree(b) - data.degree(a) || a - b);
      return ["nodes", nodes.map((n) => ({ n, cells: [paperOr(n), data.type(n), data.isPaper(n) ? "" : data.degree(n), data.isPaper(n) ? "" : data.entities.aliases[n].join("; ")] }))];
    }
    const links = [...new Set(chosen.flatMap((n) => [...data.linksOf(n)]))].filter(state.linkPasses).sort((a, b) => a - b);
    const passing = (n) => data.tally(n).roles.reduce((a, b) => a + b, 0);
    const isCut = chosen.some((n) => [...data.linksOf(n)].filter(state.linkPasses).length < passing(n));
    const list = links.map((link) => {
      const [paper, entity, sentence] = [data.paperOf(link), data.entityOf(link), text.links.sentence[link] ?? null];
      return {
        n: chosen.includes(entity) ? paper : entity,
        cells: [paperOr(paper), data.papers.year[paper - data.size] ?? "", data.label(entity), data.type(entity), data.roleOf(link), data.links.confidence[link] / 100, sentence === null ? "" : text.sentences.text[sentence]],
      };
    });
    return ["links", list, isCut];
  };
  const paperOr = (n) => (kg.data.isPaper(n) && kg.data.papers.title[n - kg.data.size]) || kg.data.label(n);

  /* A cell of CSV; one that a spreadsheet would run as a formula gets an apostrophe before it. */
  const cell = (value) => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? "'" + value : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };

  table.csv = async () => {
    const [kind, list] = await rows();
    return [columns[kind], ...list.map(({ cells }) => cells)].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
  };

  table.copy = async () => {
    const text = await table.csv();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = kg.el("textarea", { class: "unseen" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    kg.say(`${kg.count(text.split("\r\n").length - 2, "row")} copied as CSV`);
  };

  const order = (list) => {
    if (!sorted) return list;
    const { column, down } = sorted;
    const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    return [...list].sort((a, b) => (down ? -1 : 1) * compare(a.cells[column], b.cells[column]));
  };

  const head = (name, column) =>
    kg.el(
      "th",
      { scope: "col", "aria-sort": sorted?.column === column ? (sorted.down ? "descending" : "ascending") : "none" },
      kg.el("button", { type: "button", onclick: () => {
        sorted = { column, down: sorted?.column === column && !sorted.down };
        table.show();
      } }, name),
    );

  const line = ({ n, cells }) =>
    kg.el("tr", {}, cells.map((value, i) => kg.el("td", { class: typeof value === "number" ? "figure" : "" }, i === 0 ? kg.el("button", { type: "button", class: "go", onclick: () => kg.go(n) }, kg.el("bdi", {}, kg.short(String(value), 120))) : kg.el("bdi", {}, kg.short(Number.isInteger(value) || typeof value !== "number" ? String(value) : value.toFixed(2), 300)))));

  table.show = async () => {
    const [kind, list, isCut] = await rows();
    if (place.hidden) return;
    const shown = order(list).slice(0, most);
    place.replaceChildren(
      kg.el(
        "div",
        { class: "head" },
        kg.el("h2", {}, kind === "nodes" ? "Drawn" : "Links of the selected", kg.el("span", { class: "number" }, list.length.toLocaleString("en"))),
        kg.el("button", { type: "button", id: "copy-csv", onclick: table.copy }, "Copy as CSV"),
        kg.el("button", { type: "button", class: "close", "aria-label": "Close the table", onclick: () => table.open(false) }, "×"),
      ),
      list.length
        ? kg.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rows" }, kg.el("table", { class: kind }, kg.el("thead", {}, kg.el("tr", {}, columns[kind].map(head))), kg.el("tbody", {}, shown.map(line))))
        : kg.el("p", { class: "note" }, "No rows pass the filters."),
      list.length > most ? kg.el("p", { class: "note" }, `The first ${most} rows; the copy holds all ${list.length.toLocaleString("en")}.`) : "",
      isCut ? kg.el("p", { class: "note" }, "The surest links of each role; the build's links.csv has all.") : "",
    );
  };

  table.open = (open = place.hidden) => {
    place.hidden = !open;
    document.body.classList.toggle("has-table", open);
    kg.$("tool-table").setAttribute("aria-expanded", String(open));
    sorted = null;
    if (kg.state.selected !== null && kg.graph.has(kg.state.selected)) kg.frame.focus(kg.state.selected);
    else kg.frame.again();
    if (open) table.show();
    else place.replaceChildren();
  };

  const renew = () => place.hidden || table.show();
  kg.on("selected", renew);
  kg.on("filtered", renew);
  kg.on("drawn", renew);
  return table;
})();
