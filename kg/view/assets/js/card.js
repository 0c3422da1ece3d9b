/* The card of what is selected: what it is, where it stands, and the sentences that show it. */
kg.card = (() => {
  const place = kg.$("card");
  const few = 6;
  const card = {};

  const section = (title, number, ...children) =>
    kg.el("section", {}, kg.el("h3", {}, title, number === null ? "" : kg.el("span", { class: "number" }, number.toLocaleString("en"))), ...children);

  /* A list that shows its first items, and more on demand. */
  const list = (items, draw, first = few) => {
    const ul = kg.el("ul", {}, items.slice(0, first).map(draw));
    if (items.length <= first) return ul;
    let shown = first;
    const more = kg.el("button", { type: "button", class: "plain more", onclick: () => {
      const next = items.slice(shown, shown + 20);
      ul.append(...next.map(draw));
      ul.children[shown].querySelector("button, a")?.focus();
      shown += next.length;
      label();
    } });
    const label = () => {
      const left = items.length - shown;
      more.textContent = left > 20 ? `20 more of ${left.toLocaleString("en")}` : `${left} more`;
      more.hidden = shown >= items.length;
    };
    label();
    return kg.el("div", {}, ul, more);
  };

  const go = (n, most = 90, name = null) =>
    kg.el("button", { type: "button", class: "go", onclick: () => kg.go(n) }, kg.look.mark(kg.data.type(n)), kg.el("bdi", {}, kg.short(name || kg.data.label(n), most)));

  /* A sentence with the mention marked; offsets count code points. A long one is cut around the mention. */
  card.quote = (sentence, from, to) => {
    const points = [...sentence];
    if (from === null || from === undefined || to > points.length) return kg.el("q", { dir: "auto" }, kg.short(sentence, 400));
    const left = from > 240 ? Math.min(from, points.indexOf(" ", from - 240) + 1) : 0;
    const right = to + 240 < points.length ? Math.max(to, points.lastIndexOf(" ", to + 240)) : points.length;
    const part = (a, b) => points.slice(a, b).join("");
    return kg.el("q", { dir: "auto" }, left ? "… " : "", part(left, from), kg.el("mark", {}, kg.short(part(from, to), 240)), part(to, right), right < points.length ? " …" : "");
  };

  const sure = (percent) => kg.el("span", { class: "sure", title: "Confidence" }, `${percent} %`);

  const evidence = (text, link) => {
    const { sentence, from, to } = text.links;
    return sentence[link] === null ? "" : card.quote(text.sentences[sentence[link]], from[link], to[link]);
  };

  const byRole = (links, draw) => {
    const { data } = kg;
    return data.roles.flatMap((role, i) => {
      const rows = links.filter((link) => data.links.role[link] === i);
      rows.sort((a, b) => data.links.confidence[b] - data.links.confidence[a] || a - b);
      return rows.length ? [kg.el("div", { class: "role" }, kg.el("h4", {}, kg.capital(role), kg.el("span", { class: "number" }, rows.length)), list(rows, draw, i < 2 ? few : 3))] : [];
    });
  };

  const paperName = (n) => kg.data.papers.title[n - kg.data.size] || kg.data.label(n);
  const about = (n) => {
    const year = kg.data.papers.year[n - kg.data.size];
    return year === null ? "" : kg.el("span", { class: "about" }, String(year));
  };

  const linkToPaper = (text) => (link) => {
    const n = kg.data.paperOf(link);
    return kg.el("li", {}, kg.el("div", { class: "line" }, go(n, 140, paperName(n)), about(n), sure(kg.data.links.confidence[link])), evidence(text, link));
  };
  const linkToEntity = (text) => (link) =>
    kg.el("li", {}, kg.el("div", { class: "line" }, go(kg.data.entityOf(link)), sure(kg.data.links.confidence[link])), evidence(text, link));

  const spoken = (kind) => kind.replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase());

  const relations = (n, text) => {
    const { data } = kg;
    const groups = new Map();
    for (const row of data.relationsOf(n)) {
      const [head, tail] = [data.relations.head[row], data.relations.tail[row]];
      const name = `${data.relations.kind[row]} ${head === n} ${head === n ? tail : head}`;
      if (!groups.has(name)) groups.set(name, { kind: data.kinds[data.relations.kind[row]], out: head === n, other: head === n ? tail : head, rows: [] });
      groups.get(name).rows.push(row);
    }
    const items = [...groups.values()].sort((a, b) => b.rows.length - a.rows.length || a.kind.localeCompare(b.kind) || a.other - b.other);
    const self = kg.el("i", {}, "this");
    if (!items.length) return "";
    return section("Stated relations", items.length, list(items, ({ kind, out, other, rows }) => {
      const sentence = text.relations.sentence[rows[0]];
      const verb = kg.el("span", { class: "verb" }, spoken(kind));
      return kg.el("li", {}, kg.el("div", { class: "line" }, ...(out ? [verb, go(other)] : [go(other), verb, self.cloneNode(true)]), rows.length > 1 ? kg.el("span", { class: "about" }, kg.count(rows.length, "paper")) : ""), sentence === null ? "" : card.quote(text.sentences[sentence]));
    }));
  };

  const results = (rows, text, isPaper) => {
    if (!rows.length) return "";
    const { results: table } = text;
    const name = (column, row) => (table[column][row] !== null ? go(table[column][row], 40) : kg.el("bdi", {}, kg.short(table[`${column}_text`][row] || "", 60)));
    const head = ["Value", "Metric", "Dataset", "Of", "Against", ...(isPaper ? [] : ["Paper"])];
    const cells = (row) => [
      kg.el("strong", { title: text.sentences[table.sentence[row]] || "" }, kg.short(table.value[row], 40)),
      ...["metric", "dataset", "subject", "comparator"].map((column) => name(column, row)),
      ...(isPaper ? [] : [go(kg.data.size + table.paper[row], 40)]),
    ];
    const body = kg.el("tbody", {}, rows.slice(0, 50).map((row) => kg.el("tr", {}, cells(row).map((cell) => kg.el("td", {}, cell)))));
    return section("Results", rows.length, kg.el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Results" }, kg.el("table", {}, kg.el("thead", {}, kg.el("tr", {}, head.map((cell) => kg.el("th", { scope: "col" }, cell)))), body)));
  };

  const resultRows = (n, text) => {
    const { data } = kg;
    const table = text.results;
    const rows = [];
    table.paper.forEach((paper, row) => {
      if (data.isPaper(n) ? paper === n - data.size : ["subject", "metric", "dataset", "comparator"].some((column) => table[column][row] === n)) rows.push(row);
    });
    return rows;
  };

  const together = (n) => {
    const found = kg.data.together(n, kg.state.linkPasses);
    if (!found.length) return "";
    const most = found[0][1];
    const draw = ([other, papers]) => {
      const bar = kg.el("i", { class: `bar type-${kg.data.type(other)}`, "aria-hidden": "true" });
      bar.style.width = `calc(${Math.max(0.06, papers / most).toFixed(3)} * (100% - 20px))`;
      return kg.el("li", { class: "shared" }, kg.el("div", { class: "line" }, go(other), kg.el("span", { class: "number" }, papers)), bar);
    };
    return section("Occurs with", found.length, list(found, draw, 8));
  };

  const actions = (n) => {
    const { graph } = kg;
    const always = [
      kg.el("button", { type: "button", onclick: () => kg.frame.focus(n) }, "Centre"),
      kg.el("button", { type: "button", onclick: () => kg.table.open(true) }, "Table"),
    ];
    if (graph.isWhole) return kg.el("div", { class: "actions" }, always);
    const waiting = graph.waiting(n).length;
    return kg.el(
      "div",
      { class: "actions" },
      kg.el("button", { type: "button", id: "card-expand", disabled: !waiting, onclick: () => (graph.expand(n), card.show(n), kg.frame.focus(n)) }, waiting ? `Expand (${waiting.toLocaleString("en")})` : "All drawn"),
      kg.el("button", { type: "button", id: "card-fold", onclick: () => (graph.fold(n), card.show(n)) }, "Fold"),
      always,
    );
  };

  const chips = (title, names) => {
    if (!names.length) return "";
    const chip = (name) => kg.el("li", {}, kg.el("bdi", {}, kg.short(name, 80)));
    const ul = kg.el("ul", { class: "chips", "aria-label": title }, names.slice(0, 10).map(chip));
    if (names.length > 10) {
      const more = kg.el("button", { type: "button", class: "plain", onclick: () => (more.parentElement.remove(), ul.append(...names.slice(10).map(chip))) }, `+${names.length - 10}`);
      ul.append(kg.el("li", { class: "rest" }, more));
    }
    return ul;
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
      kg.el("button", { type: "button", class: "close", "aria-label": "Close the card", title: "Close (Esc)", onclick: () => kg.go(null) }, "×"),
      kg.el("h2", { id: "card-title", tabindex: "-1", class: title.length > 90 ? "long" : "" }, kg.el("bdi", {}, kg.short(title, 400))),
      ...below,
    );

  const entity = (n, text) => {
    const { data, state } = kg;
    const { entities } = data;
    const links = [...data.linksOf(n)].filter(state.linkPasses);
    const total = data.linksOf(n).length;
    return [
      head(
        n,
        data.label(n),
        entities.expansion[n] ? kg.el("p", { class: "expansion" }, kg.el("bdi", {}, kg.short(entities.expansion[n], 200))) : "",
        chips("Also called", others([data.label(n), entities.expansion[n]], entities.aliases[n])),
        entities.parents[n].length ? kg.el("p", { class: "family" }, "variant of ", entities.parents[n].slice(0, 4).map((parent) => go(parent, 50))) : "",
        urls(entities.urls[n]),
        actions(n),
      ),
      section("Papers", links.length, links.length < total ? kg.el("p", { class: "note" }, `${kg.count(total - links.length, "paper")} hidden by the filters`) : "", ...byRole(links, linkToPaper(text))),
      together(n),
      relations(n, text),
      results(resultRows(n, text), text, false),
    ];
  };

  const paper = (n, text) => {
    const { data, state } = kg;
    const i = n - data.size;
    const links = [...data.linksOf(n)].filter(state.linkPasses);
    const authors = text.papers.authors[i] || [];
    const names = authors.slice(0, 8).join(", ") + (authors.length > 8 ? ` and ${authors.length - 8} more` : "");
    const where = [text.papers.venue[i], data.papers.year[i]].filter(Boolean).join(" ");
    return [
      head(
        n,
        paperName(n),
        names ? kg.el("p", { class: "authors" }, kg.el("bdi", {}, kg.short(names, 300))) : "",
        where ? kg.el("p", { class: "where" }, kg.el("bdi", {}, kg.short(where, 120))) : "",
        urls(text.papers.urls[i]),
        kg.el("p", { class: "where id" }, kg.el("bdi", {}, kg.short(data.papers.id[i], 80))),
        actions(n),
      ),
      section("Entities", links.length, ...byRole(links, linkToEntity(text))),
      results(resultRows(n, text), text, true),
    ];
  };

  card.show = async (n) => {
    const text = await kg.data.text();
    if (kg.state.selected !== n) return;
    place.replaceChildren(...(kg.data.isPaper(n) ? paper(n, text) : entity(n, text)).filter(Boolean));
    place.hidden = false;
    place.scrollTop = 0;
    document.body.classList.add("has-card");
    kg.tell("card", n);
  };

  /* The evidence of an edge: of a mention its sentence, of a relation each paper's, of shared papers these papers. */
  const grounds = ({ from, to, kind }, text) => {
    const { data } = kg;
    const family = kg.graph.family(kind);
    if (family === "mention") return [...data.linksOf(from)].filter((link) => data.entityOf(link) === to).map(linkToPaper(text));
    if (family === "together") {
      const theirs = new Set([...data.linksOf(to)].map(data.paperOf));
      return [...data.linksOf(from)].filter((link) => theirs.has(data.paperOf(link))).map(linkToPaper(text));
    }
    const rows = data.relationsOf(from).filter((row) => data.relations.head[row] === from && data.relations.tail[row] === to && data.kinds[data.relations.kind[row]] === kind);
    return rows.map((row) => {
      const n = data.size + data.relations.paper[row];
      const sentence = text.relations.sentence[row];
      return kg.el("li", {}, kg.el("div", { class: "line" }, go(n, 140, paperName(n)), about(n), sure(data.relations.confidence[row])), sentence === null ? "" : card.quote(text.sentences[sentence]));
    });
  };

  card.edge = async (edge) => {
    const text = await kg.data.text();
    const items = grounds(edge, text);
    const verb = kg.graph.family(edge.kind) === "together" ? "occurs with" : spoken(edge.kind);
    place.replaceChildren(
      kg.el(
        "div",
        { class: "head" },
        kg.el("button", { type: "button", class: "close", "aria-label": "Close the card", title: "Close (Esc)", onclick: () => kg.go(null) }, "×"),
        kg.el("h2", { id: "card-title", tabindex: "-1", class: "tie" }, go(edge.from, 60), kg.el("span", { class: "verb" }, verb), go(edge.to, 60)),
      ),
      section("Papers", items.length, list(items, (item) => item, 12)),
    );
    place.hidden = false;
    document.body.classList.add("has-card");
  };

  card.hide = () => {
    place.hidden = true;
    place.replaceChildren();
    document.body.classList.remove("has-card");
  };

  kg.on("filtered", () => kg.state.selected !== null && card.show(kg.state.selected));
  return card;
})();
