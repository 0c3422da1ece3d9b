/* The keyboard: everything that the pointer does. */
kg.keys = (() => {
  const help = [
    ["/", "search"],
    ["← ↑ → ↓", "go to the next node in that direction; with Shift, move the view"],
    ["Enter", "open the card of the node"],
    ["e", "expand or fold the selected node (as a double click does)"],
    ["+  −  0", "zoom in, zoom out, show all"],
    ["t", "table of what is selected, or of all that is drawn"],
    ["l", "filters"],
    ["p", "physics on or off"],
    ["d", "light or dark"],
    ["Esc", "close the card, the table or this help"],
  ];

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /* The nearest drawn node in a direction, those straight ahead before those aside; at first the one in the middle of the view. */
  const next = (from, [dx, dy]) => {
    const spots = kg.graph.spots(kg.graph.drawn());
    const start = from === null ? kg.frame.middle() : spots[from];
    let best = null;
    for (const [id, spot] of Object.entries(spots)) {
      const [x, y] = [spot.x - start.x, spot.y - start.y];
      const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
      const cost = from === null ? Math.hypot(x, y) : ahead + 2.5 * aside;
      if (Number(id) !== from && (from === null || ahead > 1) && (!best || cost < best.cost)) best = { n: Number(id), cost };
    }
    return best?.n ?? null;
  };

  const onMap = (event) => {
    const way = ways[event.key];
    if (!way) return false;
    if (event.shiftKey) kg.frame.pan(way[0] * 80, way[1] * 80);
    else {
      const { selected } = kg.state;
      const n = next(selected !== null && kg.graph.has(selected) ? selected : null, way);
      if (n !== null) kg.go(n);
    }
    return true;
  };

  const anywhere = {
    "/": () => kg.$("search").focus(),
    "+": () => kg.frame.zoom(1.3),
    "=": () => kg.frame.zoom(1.3),
    "-": () => kg.frame.zoom(1 / 1.3),
    0: () => kg.frame.all(),
    e: async () => {
      const { selected } = kg.state;
      if (selected === null) return;
      await kg.graph.toggle(selected);
      kg.card.show(selected);
    },
    t: () => kg.table.open(),
    l: () => kg.$("tool-filters").click(),
    p: () => kg.$("tool-physics").click(),
    d: () => kg.$("tool-theme").click(),
    "?": () => kg.keys.help(),
    Escape: () => {
      if (!kg.$("table").hidden) kg.table.open(false);
      else kg.go(null);
    },
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !kg.data.ready || event.target.closest("dialog")) return;
    const inField = event.target.closest("input:not([type=checkbox]), textarea");
    if (inField && event.key !== "Escape") return;
    if (event.target === kg.$("map") || kg.$("map").contains(event.target)) {
      if (event.key === "Enter" && kg.state.selected !== null) return void kg.$("card-title")?.focus();
      if (onMap(event)) return event.preventDefault();
    }
    const act = anywhere[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const dialog = kg.$("help");
  dialog.append(
    kg.el("div", { class: "head" }, kg.el("h2", {}, "How to use this page"), kg.el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "×")),
    kg.el("p", {}, "Click a node for its card, double click to bring in or fold its neighbours, drag to move. Ctrl or a long press selects several."),
    kg.el("dl", {}, help.map(([key, what]) => [kg.el("dt", {}, kg.el("kbd", {}, key)), kg.el("dd", {}, what)]).flat()),
  );
  return { help: () => dialog.showModal() };
})();
