/* The address names what is selected (#gsm8k), so that links lead to it and the browser's back button goes back. */
kg.route = (() => {
  const read = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  };

  /* Draw what the address names, select it, and show its card. */
  const arrive = (quick = false) => {
    const id = read();
    const n = id ? kg.data.node(id) : null;
    if (id && n === undefined) {
      kg.say(`Nothing here is called ${kg.short(id, 40)}`);
      return;
    }
    enter(n ?? null, quick);
  };

  const enter = (n, quick = false) => {
    const { graph, state } = kg;
    if (n === null) {
      graph.choose(null);
      state.select(null);
      kg.card.hide();
      return;
    }
    if (!state.isShown(n)) kg.say("The filters hide this");
    state.select(n);
    if (!graph.has(n)) bring(n);
    graph.choose(n);
    kg.card.show(n).then(() => kg.route.calm || kg.frame.focus(n, quick));
    kg.say(`${kg.short(kg.data.label(n), 60)}, ${kg.data.type(n)}`);
  };

  /* A node that is not drawn comes beside the strongest of its neighbours that is, and brings some of its own. */
  const bring = (n) => {
    const { data, graph } = kg;
    const near = data.isPaper(n) ? [...data.linksOf(n)].map(data.entityOf) : data.together(n).map(([other]) => other);
    graph.add([n], near.find(graph.has) ?? null);
    if (graph.neighbours(n).length < 4) graph.expand(n);
  };

  /* Go to a node; null is nowhere. Without an address of its own, as in a notebook, the page goes there all the same. */
  kg.go = (n, calm = false) => {
    kg.route.calm = calm;
    const hash = n === null ? "" : "#" + encodeURIComponent(kg.data.address(n));
    if (location.hash === hash) return enter(n);
    try {
      if (n === null) history.pushState(null, "", location.pathname + location.search);
      else location.hash = hash;
      if (n === null || location.hash !== hash) enter(n);
    } catch {
      enter(n);
    }
  };

  window.addEventListener("hashchange", () => {
    arrive();
    kg.route.calm = false;
  });
  window.addEventListener("popstate", () => location.hash || arrive());
  return { arrive, calm: false };
})();
