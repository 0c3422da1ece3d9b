/* The card of what is selected: what it is, where it stands, and the sentences that show it. */
kg.card = (() => {
  const place = kg.$("card");
  const card = {};
  const { section, list, go, chips, paperName, linkToPaper, linkToEntity, statement, spoken, close, few } = kg.parts;
  const note = (text) => kg.el("p", { class: "note" }, text);

  /* The links that pass the filters by role, the surest first. A server sends the first of each role; the numbers are those of all. */
  const byRole = (n, draw) => {
    const { data, state } = kg;
    const links = [...data.linksOf(n)].filter(state.linkPasses);
    links.sort((a, b) => data.links.confidence[b] - data.links.confidence[a] || a - b);
    return data.tally(n).roles.flatMap((number, i) => {
      const rows = links.filter((link) => data.links.role[link] === i);
      const title = kg.el("h4", {}, kg.capital(data.roles[i]), kg.el("span", { class: "number" }, number.toLocaleString("en")));
      const rest = rows.length < number ? note(`The surest ${rows.length.toLocaleString("en")} are listed.`) : "";
      return number ? [kg.el("div", { class: "role" }, title, list(rows, draw, i < 2 ? few : 3), rest)] : [];
    });
  };

  const links = (n, title, draw) => {
    const { links: total, roles } = kg.data.tally(n);
    if (!total) return section(title, 0, note(kg.data.isPaper(n) ? "Nothing was found in it." : "No paper names it; some name its variants."));
    const passing = roles.reduce((a, b) => a + b, 0);
    const hidden = kg.data.isPaper(n) ? kg.count(total - passing, "entity", "entities") : kg.count(total - passing, "paper");
    return section(title, passing, passing < total ? note(`${hidden} hidden by the filters`) : "", ...byRole(n, draw));
  };

  const relations = (n, text) => {
    const { data } = kg;
    const all = data.relationsOf(n);
    if (!all.length) return "";
    const groups = new Map();
    for (const row of all) {
      const [out, other, kind] = [data.relations.head[row] === n, data.otherEnd(row, n), data.kinds[data.relations.kind[row]]];
      const name = `${kind} ${out} ${other}`;
      if (!groups.has(name)) groups.set(name, { kind, out, other, rows: [] });
      groups.get(name).rows.push(row);
    }
    const items = [...groups.values()].sort((a, b) => b.rows.length - a.rows.length || a.kind.localeCompare(b.kind) || a.other - b.other);
    const draw = ({ kind, out, other, rows }) => {
      const verb = kg.el("span", { class: "verb" }, spoken(kind));
      const line = out ? [verb, go(other)] : [go(other), verb, kg.el("i", {}, "this")];
      const papers = rows.length > 1 ? kg.el("span", { class: "about" }, kg.count(rows.length, "paper")) : "";
      return kg.el("li", {}, kg.el("div", { class: "line" }, ...line, papers), statement(text, rows[0]));
    };
    const { relations: total } = data.tally(n);
    const rest = all.length < total ? note(`From the surest ${all.length.toLocaleString("en")} of ${kg.count(total, "statement")}.`) : "";
    return section("Stated relations", items.length, list(items, draw), rest);
  };

  const results = (n, text) => {
    const { rows, total } = kg.data.resultsOf(n, text);
    if (!total) return "";
    const { results: table, sentences } = text;
    const isPaper = kg.data.isPaper(n);
    const shown = rows.slice(0, 50);
    const name = (column, row) => (table[column][row] !== null ? go(table[column][row], 40) : kg.el("bdi", {}, kg.short(table[`${column}_text`][row] || "", 60)));
    const head = ["Value", "Metric", "Dataset", "Of", "Against", ...(isPaper ? [] : ["Paper"])];
    const cells = (row) => [
      kg.el("strong", { title: sentences.text[table.sentence[row]] || "" }, kg.short(table.value[row], 40)),
      ...["metric", "dataset", "subject", "comparator"].map((column) => name(column, row)),
      ...(isPaper ? [] : [go(kg.data.size + table.paper[row], 40)]),
    ];
    const body = shown.map((row) => kg.el("tr", {}, cells(row).map((cell) => kg.el("td", {}, cell))));
    const titles = kg.el("tr", {}, head.map((cell) => kg.el("th", { scope: "col" }, cell)));
    const drawn = kg.el("table", {}, kg.el("thead", {}, titles), kg.el("tbody", {}, body));
    const rest = shown.length < total ? note(`The first ${shown.length} are listed.`) : "";
    return section("Results", total, kg.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Results" }, drawn), rest);
  };

  const together = (n) => {
    const found = kg.data.together(n, true);
    if (!found.length) return "";
    const most = found[0][1];
    const draw = ([other, papers]) => {
      const bar = kg.el("i", { class: `bar type-${kg.data.type(other)}`, "aria-hidden": "true" });
      bar.style.width = `calc(${Math.max(0.06, papers / most).toFixed(3)} * (100% - 20px))`;
      return kg.el("li", { class: "shared" }, kg.el("div", { class: "line" }, go(other), kg.el("span", { class: "number" }, papers)), bar);
    };
    const { together: total = found.length } = kg.data.tally(n);
    return section("Occurs with", total, list(found, draw, 8), found.length < total ? note(`The first ${found.length} are listed.`) : "");
  };

  const actions = (n) => {
    const { graph } = kg;
    const button = (text, onclick, more = {}) => kg.el("button", { type: "button", onclick, ...more }, text);
    const always = [button("Centre", () => kg.frame.focus(n)), button("Table", () => kg.table.open(true))];
    if (graph.isWhole) return kg.el("div", { class: "actions" }, always);
    const waiting = graph.waiting(n).length;
    const expand = async () => {
      await graph.expand(n);
      await card.show(n);
      kg.frame.focus(n);
    };
    const fold = () => {
      graph.fold(n);
      card.show(n);
    };
    const more = waiting ? `Expand (${waiting.toLocaleString("en")})` : "All drawn";
    return kg.el("div", { class: "actions" }, button(more, expand, { id: "card-expand", disabled: !waiting }), button("Fold", fold, { id: "card-fold" }), always);
  };

  /* The names that are not among the known ones, each once; case makes no difference. */
  const others = (known, names) => {
    const seen = new Set(known.map((name) => name.toLowerCase()));
    return names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
  };

  const urls = (addresses) => (addresses.length ? kg.el("p", { class: "urls" }, addresses.map((url) => kg.link(url, kg.short(url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, ""), 48)))) : "");

  const head = (n, title, ...below) =>
    kg.el(
      "div",
      { class: "head" },
      kg.el("div", { class: "type" }, kg.look.mark(kg.data.type(n)), kg.data.type(n)),
      close(),
      kg.el("h2", { id: "card-title", tabindex: "-1", class: title.length > 90 ? "long" : "" }, kg.el("bdi", {}, kg.short(title, 400))),
      ...below,
    );

  const line = (name, text, most) => (text ? kg.el("p", { class: name }, kg.el("bdi", {}, kg.short(text, most))) : "");

  const kin = (nodes, what) => (nodes.length ? kg.el("p", { class: "family" }, what, nodes.slice(0, 12).map((n) => go(n, 50)), nodes.length > 12 ? `and ${nodes.length - 12} more` : "") : "");

  const entity = (n, text) => {
    const { aliases, expansion, parents, urls: addresses, variants } = kg.data.entities;
    return [
      head(
        n,
        kg.data.label(n),
        line("expansion", expansion[n].toLowerCase() === kg.data.label(n).toLowerCase() ? "" : expansion[n], 200),
        chips("Also called", others([kg.data.label(n), expansion[n]], aliases[n])),
        kin(parents[n], "variant of "),
        kin(variants[n], kg.count(variants[n].length, "variant") + ": "),
        urls(addresses[n]),
        actions(n),
      ),
      links(n, "Papers", linkToPaper(text)),
      together(n),
      relations(n, text),
      results(n, text),
    ];
  };

  const paper = (n, text) => {
    const i = n - kg.data.size;
    const authors = text.papers.authors[i] || [];
    const names = authors.slice(0, 8).join(", ") + (authors.length > 8 ? ` and ${authors.length - 8} more` : "");
    const where = [text.papers.venue[i], kg.data.papers.year[i]].filter(Boolean).join(" ");
    return [
      head(n, paperName(n), line("authors", names, 300), line("where", where, 120), urls(text.papers.urls[i]), line("where id", kg.data.papers.id[i], 80), actions(n)),
      links(n, "Entities", linkToEntity(text)),
      results(n, text),
    ];
  };

  /* Put a card in its place. */
  card.open = (...children) => {
    place.replaceChildren(...children.filter(Boolean));
    place.hidden = false;
    place.scrollTop = 0;
    document.body.classList.add("has-card");
  };

  card.show = async (n) => {
    await kg.data.reach(n);
    const text = await kg.data.text();
    if (kg.state.selected === n) card.open(...(kg.data.isPaper(n) ? paper(n, text) : entity(n, text)));
  };

  card.hide = () => {
    place.hidden = true;
    place.replaceChildren();
    document.body.classList.remove("has-card");
  };

  kg.on("filtered", () => kg.state.selected !== null && card.show(kg.state.selected));
  return card;
})();
