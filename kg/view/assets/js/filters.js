/* The legend, which is the type filter, beside the filters of role, year and confidence. */
kg.filters = (() => {
  const place = kg.$("filters");

  const toggle = (set, name) => (event) => {
    if (event.target.checked) set.delete(name);
    else set.add(name);
    kg.state.refresh();
  };

  const row = (set, name, text, mark, number) =>
    kg.el(
      "label",
      { class: "row" },
      kg.el("input", { type: "checkbox", checked: !set.has(name), "data-name": name, onchange: toggle(set, name) }),
      mark,
      kg.el("span", { class: "what" }, text),
      kg.el("span", { class: "number" }, number === undefined ? "" : number.toLocaleString("en")),
    );

  const stroke = (role) => kg.el("span", { class: `stroke stroke-${role}`, "aria-hidden": "true" });
  const group = (title, ...children) => {
    const value = children.find((child) => child.tagName === "OUTPUT");
    return kg.el("fieldset", {}, kg.el("legend", {}, title, value || ""), ...children.filter((child) => child !== value));
  };

  const years = () => {
    const papersOf = kg.facts.counts.years;
    const known = Object.keys(papersOf).map(Number);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    if (known.length < 2) return null;
    const bars = kg.el("div", { class: "bars", "aria-hidden": "true" });
    const perYear = Array.from({ length: high - low + 1 }, (_, i) => papersOf[low + i] || 0);
    const most = Math.max(...perYear);
    perYear.forEach((number) => {
      const bar = kg.el("i");
      bar.style.height = `${Math.max(4, (100 * number) / most)}%`;
      bars.append(bar);
    });
    const text = kg.el("output", { class: "number" }, `${low}–${high}`);
    const ends = [low, high].map((value, i) =>
      kg.el("input", { type: "range", min: low, max: high, value, "aria-label": i ? "Latest year" : "Earliest year", oninput: () => apply() }),
    );
    const apply = () => {
      const [a, b] = ends.map((end) => Number(end.value)).sort((x, y) => x - y);
      text.textContent = a === b ? String(a) : `${a}–${b}`;
      [...bars.children].forEach((bar, i) => bar.classList.toggle("out", low + i < a || low + i > b));
      kg.state.years = a === low && b === high ? null : [a, b];
      kg.state.refresh();
    };
    return group("Year", bars, kg.el("div", { class: "span" }, kg.el("div", { class: "rail", "aria-hidden": "true" }), ...ends), text);
  };

  const confidence = () => {
    const text = kg.el("output", { class: "number" }, "any");
    const range = kg.el("input", {
      type: "range",
      min: 0,
      max: 100,
      step: 5,
      value: 0,
      "aria-label": "Least confidence, in per cent",
      oninput: () => {
        kg.state.confidence = Number(range.value);
        text.textContent = kg.state.confidence ? `≥ ${kg.state.confidence} %` : "any";
        kg.state.refresh();
      },
    });
    return group("Confidence", range, text);
  };

  /* The communities of the overview, named by their strongest entities; a click shows one. */
  const topics = () => {
    const groups = (kg.facts.communities || []).filter((members) => members.length > 3);
    if (groups.length < 2) return null;
    const name = (members) => kg.short(kg.data.label(members[0]), 40);
    const more = (members) => members.slice(0, 8).map((n) => kg.short(kg.data.label(n), 40)).join(", ");
    const item = (members) =>
      kg.el("button", { type: "button", class: "topic", title: more(members), onclick: () => kg.frame.all(false, members) }, kg.el("bdi", {}, name(members)), kg.el("span", { class: "number" }, members.length));
    return group("Communities", ...groups.slice(0, 12).map(item));
  };

  const build = () => {
    const { state } = kg;
    const { counts, held } = kg.facts;
    const ofType = [...Object.entries(counts.types), ["Paper", held.papers]];
    const types = ofType.filter(([, number]) => number).sort((a, b) => (a[0] === "Paper") - (b[0] === "Paper") || b[1] - a[1]);
    const ties = kg.graph.families();
    const names = { mention: "Mentions", relation: "Stated relations", together: "Shared papers", variant: "Families" };
    place.replaceChildren(
      kg.el("div", { class: "head" }, kg.el("h2", {}, "Show"), kg.el("button", { type: "button", class: "plain", id: "filters-clear", hidden: true, onclick: reset }, "Reset")),
      group("Types", ...types.map(([type, number]) => row(state.hiddenTypes, type, type, kg.look.mark(type), number))),
      group("Roles", ...kg.data.roles.map((role) => row(state.hiddenRoles, role, kg.capital(role), stroke(role), counts.roles[role] || 0))),
      ties.size > 1 ? group("Lines", ...Object.keys(names).filter((name) => ties.has(name)).map((name) => row(state.hiddenTies, name, names[name], stroke(name)))) : "",
      years() || "",
      confidence(),
      kg.facts.overview
        ? kg.el("button", { type: "button", id: "fill", class: "wide", hidden: true, onclick: () => kg.graph.fill() }, "Draw the strongest of these")
        : "",
      topics() || "",
    );
  };

  const reset = () => {
    kg.state.clear();
    build();
    kg.state.refresh().then(() => kg.graph.isFilled && kg.graph.restore());
  };

  kg.on("filtered", () => {
    const button = kg.$("filters-clear");
    if (button) button.hidden = !kg.state.isFiltered();
    if (kg.$("fill")) kg.$("fill").hidden = !kg.state.isFiltered() && !kg.graph.isFilled;
  });
  return { build };
})();
