/* The card of a line between two nodes: of a mention its sentence, of a relation each paper's, of shared papers these papers. */
kg.tie = (() => {
  const { section, list, go, paperLine, linkToPaper, statement, spoken, close } = kg.parts;

  const grounds = async ({ from, to, kind }, text) => {
    const { data } = kg;
    const family = kg.graph.family(kind);
    if (family === "variant") return [];
    if (family === "together") return (await data.shared(from, to)).map(linkToPaper(text));
    if (family === "mention") return [...data.linksOf(from)].filter((link) => data.entityOf(link) === to).map(linkToPaper(text));
    const { head, tail, kind: kinds, paper, confidence } = data.relations;
    const rows = data.relationsOf(from).filter((row) => head[row] === from && tail[row] === to && data.kinds[kinds[row]] === kind);
    return rows.map((row) => paperLine(data.size + paper[row], confidence[row], statement(text, row)));
  };

  const verb = (kind) => ({ together: "occurs with", variant: "is a variant of" })[kind] || spoken(kind);

  const show = async (edge) => {
    await kg.data.reach(edge.from);
    const items = await grounds(edge, await kg.data.text());
    kg.card.open(
      kg.el(
        "div",
        { class: "head" },
        close(),
        kg.el("h2", { id: "card-title", tabindex: "-1", class: "tie" }, go(edge.from, 60), kg.el("span", { class: "verb" }, verb(edge.kind)), go(edge.to, 60)),
      ),
      items.length ? section("Papers", items.length, list(items, (item) => item, 12)) : "",
    );
  };
  return { show };
})();
