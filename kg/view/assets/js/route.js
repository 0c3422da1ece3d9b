/* The address names what is selected (#gsm8k), so that links lead to it and the browser's back button goes back. */
kg.route = (() => {
  const read = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  };

  /* Select a node, draw it when it is not drawn, and show its card. The view moves to it (`how.quick`: at once), unless the pointer is on it already
     (`how.calm`). */
  const enter = async (n, how = {}) => {
    const { data, graph, state } = kg;
    if (n === null) {
      graph.choose(null);
      state.select(null);
      kg.card.hide();
      return;
    }
    if (!state.isShown(n)) kg.say("The filters hide this");
    state.select(n);
    await data.reach(n);
    if (state.selected !== n) return;
    if (!graph.has(n)) await bring(n);
    graph.choose(n);
    await kg.card.show(n);
    if (how.calm) kg.frame.reveal(n);
    else kg.frame.focus(n, how.quick);
    kg.say(`${kg.short(data.label(n), 60)}, ${data.type(n)}`);
  };

  /* A node that is not drawn comes beside the strongest of its neighbours that is, and brings some of its own. */
  const bring = async (n) => {
    const { data, graph } = kg;
    const near = data.isPaper(n) ? [...data.linksOf(n)].map(data.entityOf) : [...data.kin(n), ...data.together(n).map(([other]) => other)];
    graph.add([n], near.find(graph.has) ?? null);
    if (graph.neighbours(n).length < 4) await graph.expand(n);
  };

  /* Go where the address leads. */
  const arrive = async (how) => {
    const id = read();
    const n = id ? await kg.data.seek(id) : null;
    if (id !== read()) return;
    if (n === undefined) kg.say(`Nothing here is called ${kg.short(id, 40)}`);
    else await enter(n, how);
  };

  /* Go to a node; null is nowhere. Without an address of its own, as in a notebook, the page goes there all the same. */
  let next;
  kg.go = (n, calm = false) => {
    const hash = n === null ? "" : "#" + encodeURIComponent(kg.data.address(n));
    if (location.hash === hash) return enter(n, { calm });
    try {
      if (n === null) history.pushState(null, "", location.pathname + location.search);
      else {
        next = { calm };
        location.hash = hash;
      }
      if (n !== null && location.hash === hash) return undefined;
    } catch {
      /* a page without an address */
    }
    next = undefined;
    return enter(n, { calm });
  };

  window.addEventListener("hashchange", () => {
    arrive(next);
    next = undefined;
  });
  window.addEventListener("popstate", () => location.hash || arrive());
  return { arrive };
})();
