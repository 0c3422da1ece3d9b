/* The page comes together here. */
(() => {
  const { graph, facts } = kg;

  const counts = () => {
    const text = Object.entries({ papers: "paper", entities: "entity", links: "link" }).map(([many, one]) => {
      const [held, whole] = [facts.held[many], facts.whole[many]];
      return (held < whole ? `${held.toLocaleString("en")} of ` : "") + kg.count(whole, one, many);
    });
    kg.$("counts").textContent = text.join(" · ");
  };

  const tools = () => {
    const on = (id, act) => kg.$(id).addEventListener("click", act);
    on("tool-table", () => kg.table.open());
    on("tool-help", () => kg.keys.help());
    on("tool-theme", () => kg.look.setTheme(kg.look.isDark ? "light" : "dark"));
    on("tool-filters", () => {
      const filters = kg.$("filters");
      filters.hidden = !filters.hidden;
      kg.$("tool-filters").setAttribute("aria-expanded", String(!filters.hidden));
      kg.frame.again();
    });
    on("tool-physics", ({ currentTarget: button }) => {
      const enabled = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(enabled));
      graph.isLoose = enabled;
      graph.setPhysics(enabled);
    });
    on("zoom-in", () => kg.frame.zoom(1.4));
    on("zoom-out", () => kg.frame.zoom(1 / 1.4));
    on("zoom-fit", () => kg.frame.all());
    for (const kind of ["png", "svg", "csv"]) {
      on(`save-${kind}`, () => {
        kg.save[kind]();
        kg.$("save").open = false;
      });
    }
    document.addEventListener("click", (event) => event.target.closest("#save") || (kg.$("save").open = false));
  };

  const empty = () => {
    const place = kg.$("empty");
    place.hidden = graph.drawn().length > 0;
    place.textContent = kg.data.total ? "Nothing passes these filters." : "This build holds no papers yet.";
  };

  const open = async () => {
    counts();
    tools();
    kg.$("tool-physics").hidden = kg.$("save-svg").hidden = Boolean(graph.isWhole);
    if (kg.phone()) kg.$("tool-filters").click();
    await kg.data.open();
    if (!facts.overview && facts.counts.relations > 60) kg.state.hiddenTies.add("relation");
    kg.filters.build();
    kg.on("filtered", empty);
    await kg.state.refresh();
    kg.frame.all(true);
    graph.listen();
    if (location.hash) kg.route.arrive({ quick: true });
    window.readyAt = performance.now();
    document.body.classList.add("ready");
  };

  if (!graph.isWhole) kg.frame.all(true);
  open().catch((error) => {
    kg.$("empty").hidden = false;
    kg.$("empty").textContent = `The data of this page cannot be read: ${error.message}`;
    throw error;
  });
})();
