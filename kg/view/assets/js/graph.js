/* The drawing: which nodes and edges vis-network holds, and how they look. */
kg.graph = (() => {
  const graph = { most: 700, step: 12 };
  const first = { nodes: kg.json("nodes"), edges: kg.json("edges") };
  const nodes = new vis.DataSet();
  const edges = new vis.DataSet();
  const parallel = new Map();
  const opened = new Map();
  Object.assign(graph, { nodes, edges, version: 0 });

  const nodeStyle = (group) => {
    const colour = kg.look.colour(group);
    const isPaper = group === "Paper";
    const background = isPaper ? kg.look.ground : colour;
    const both = { background, border: isPaper ? colour : kg.look.ground };
    return { shape: kg.look.types[group].shape, color: { ...both, hover: both, highlight: both }, borderWidth: isPaper ? 2.2 : 1.5 };
  };

  const edgeStyle = ({ kind, papers }) => {
    const { look } = kg;
    const role = look.roles[kind];
    if (role) return { width: role.width, dashes: role.dashes || false, color: look.fade(look.edge, role.alpha) };
    if (kind === "variant") return { width: 1.6, dashes: [1, 3], color: look.fade(look.edge, 0.8) };
    if (kind === "together") {
      const strength = Math.min(1, papers / 12);
      return { width: 1 + 3 * strength, dashes: false, color: look.fade(look.edge, 0.35 + 0.35 * strength) };
    }
    return {
      width: 1.1,
      dashes: false,
      color: look.fade(look.relation, 0.75),
      arrows: { to: { enabled: true, scaleFactor: 0.35 } },
    };
  };

  graph.family = (kind) => (kg.look.roles[kind] ? "mention" : kind === "together" || kind === "variant" ? kind : "relation");

  /* Edges between the same two nodes are bent, each by its own amount, so that none covers another. */
  const bend = (from, to) => {
    const pair = from < to ? `${from}-${to}` : `${to}-${from}`;
    const turn = parallel.get(pair) || 0;
    parallel.set(pair, turn + 1);
    if (!turn) return false;
    return { enabled: true, type: turn % 2 === from < to ? "curvedCW" : "curvedCCW", roundness: 0.14 * Math.ceil(turn / 2) };
  };

  const makeEdge = (tie) => ({ ...tie, id: `${tie.from}-${tie.kind}-${tie.to}`, smooth: bend(tie.from, tie.to), ...edgeStyle(tie) });

  graph.size = (n) => {
    const degree = kg.data.degree(n);
    return swell * (kg.data.isPaper(n) ? Math.min(14, 6 + 1.3 * Math.sqrt(degree)) : Math.min(34, 5 + 2.4 * Math.sqrt(Math.max(1, degree))));
  };

  /* A drawing is wider than high. Where the room is higher than wide it is turned, and it is stretched by a third at most to the room's shape. */
  const fitted = (list) => {
    const { width, height } = kg.room();
    const spots = list.map(({ x, y }) => (height > 1.15 * width ? [y, x] : [x, y]));
    const [wide, high] = [0, 1].map((axis) => spots.reduce(([least, most], spot) => [Math.min(least, spot[axis]), Math.max(most, spot[axis])], [0, 0])).map(([least, most]) => most - least + 1);
    const lack = (width * high) / (height * wide);
    const [right, down] = [Math.min(1.35, Math.max(1, lack)), Math.min(1.35, Math.max(1, 1 / lack))];
    return list.map((node, i) => ({ ...node, x: spots[i][0] * right, y: spots[i][1] * down }));
  };

  /* On a phone the drawing is small, and so that nodes can be seen and touched they are larger in it. */
  const swell = kg.phone() ? 1.7 : 1;
  graph.swell = swell;

  const open = () => {
    nodes.add(fitted(first.nodes).map(({ label, ...node }) => ({ ...node, size: swell * node.size, name: label, ...nodeStyle(node.group) })));
    edges.add(first.edges.map(makeEdge));
  };
  open();
  const net = new vis.Network(kg.$("map"), { nodes, edges }, kg.json("options"));
  graph.net = net;
  const touch = () => {
    graph.version++;
    kg.tell("drawn");
  };

  graph.has = (n) => nodes.get(n) !== null;
  graph.drawn = () => nodes.getIds().filter((n) => kg.state.isShown(n));
  graph.chosen = () => net.getSelectedNodes();
  graph.choose = (n) => (n === null ? net.unselectAll() : graph.chosen().includes(n) || net.selectNodes([n], false));
  graph.families = () => new Set(edges.get().map((edge) => graph.family(edge.kind)));
  graph.spots = (list) => net.getPositions(list);
  graph.neighbours = (n) => net.getConnectedNodes(n).filter((other) => kg.state.isShown(other));

  /* The edges between a node and what is drawn. */
  const ties = (n, among) => {
    const { data } = kg;
    const found = data.isPaper(n)
      ? [...data.linksOf(n)].filter((link) => among(data.entityOf(link))).map((link) => ({ from: n, to: data.entityOf(link), kind: data.roleOf(link), papers: 1 }))
      : [...data.linksOf(n)].filter((link) => among(data.paperOf(link))).map((link) => ({ from: data.paperOf(link), to: n, kind: data.roleOf(link), papers: 1 }));
    if (data.isPaper(n)) return found;
    const stated = new Map();
    for (const row of data.relationsOf(n)) {
      const [from, to] = [data.relations.head[row], data.relations.tail[row]];
      if (from === to || !among(from === n ? to : from)) continue;
      const name = `${from}-${data.relations.kind[row]}-${to}`;
      if (!stated.has(name)) stated.set(name, { from, to, kind: data.kinds[data.relations.kind[row]], papers: 0 });
      stated.get(name).papers++;
    }
    const kin = data.kin(n).filter(among).map((other) => {
      const [from, to] = data.entities.parents[n].includes(other) ? [n, other] : [other, n];
      return { from, to, kind: "variant", papers: 0 };
    });
    const tied = new Set([...stated.values(), ...kin].flatMap((tie) => [tie.from, tie.to]));
    const together = kg.facts.overview
      ? data.together(n).filter(([other]) => among(other) && !tied.has(other)).slice(0, 3).map(([other, papers]) => ({ from: n, to: other, kind: "together", papers }))
      : [];
    return [...found, ...stated.values(), ...kin, ...together];
  };

  /* Draw more nodes beside one that is drawn (or in the middle of the view). */
  graph.add = (list, origin = null) => {
    const fresh = list.filter((n) => !graph.has(n));
    if (!fresh.length) return [];
    makeRoom(fresh.length, origin);
    const { data } = kg;
    const spots = kg.place(fresh, origin);
    nodes.add(
      fresh.map((n) => ({
        id: n,
        name: kg.short(data.label(n)),
        group: data.type(n),
        size: graph.size(n),
        ...spots.get(n),
        ...nodeStyle(data.type(n)),
        hidden: !kg.state.isShown(n),
      })),
    );
    const known = new Set(edges.getIds());
    const more = fresh.flatMap((n) => ties(n, graph.has)).filter((tie) => {
      const id = `${tie.from}-${tie.kind}-${tie.to}`;
      return !known.has(id) && !(tie.kind === "together" && known.has(`${tie.to}-together-${tie.from}`)) && known.add(id);
    });
    edges.add(more.map(makeEdge));
    refreshEdges();
    touch();
    return fresh;
  };

  /* The drawing stays fluid up to a number of nodes: what was opened first is folded first. */
  const makeRoom = (count, keep) => {
    for (const n of [...opened.keys()]) {
      if (nodes.length + count <= graph.most) return;
      if (n !== keep && n !== kg.state.selected) graph.fold(n);
    }
  };

  const remove = (list) => {
    const gone = new Set(list);
    edges.remove(edges.get({ filter: (edge) => gone.has(edge.from) || gone.has(edge.to) }).map((edge) => edge.id));
    nodes.remove(list);
    list.forEach((n) => opened.delete(n));
    touch();
  };

  /* The neighbours of a node that are not drawn, the strongest first; papers and entities take turns. */
  graph.waiting = (n) => {
    const { data, state } = kg;
    const fits = (other) => !graph.has(other) && state.isShown(other);
    const links = [...data.linksOf(n)].filter(state.linkPasses);
    links.sort((a, b) => data.links.role[a] - data.links.role[b] || data.links.confidence[b] - data.links.confidence[a] || a - b);
    if (data.isPaper(n)) return links.map(data.entityOf).filter(fits);
    const papers = links.map(data.paperOf).filter(fits);
    const related = [...data.kin(n), ...data.relationsOf(n).map((row) => data.otherEnd(row, n))];
    const together = kg.facts.overview ? data.together(n, true).map(([other]) => other) : [];
    const others = [...new Set([...related, ...together])].filter((other) => other !== n && fits(other));
    const mixed = [];
    for (let i = 0; i < Math.max(papers.length, others.length); i++) mixed.push(...papers.slice(i, i + 1), ...others.slice(i, i + 1));
    return mixed;
  };

  graph.expand = async (n) => {
    await kg.data.reach(n);
    const waiting = graph.waiting(n);
    const next = waiting.slice(0, kg.data.isPaper(n) ? 30 : graph.step);
    await kg.data.meet(next);
    const added = graph.add(next, n);
    if (added.length) opened.set(n, [...(opened.get(n) || []), ...added]);
    const left = waiting.length - added.length;
    kg.say(added.length ? `${kg.count(added.length, "neighbour")} added${left ? `, ${left} more` : ""}` : "All its neighbours are drawn");
    return added;
  };

  /* What hangs on a node alone. */
  const loose = (n) => graph.neighbours(n).filter((other) => new Set(net.getConnectedNodes(other)).size === 1);

  graph.fold = (n) => {
    const added = opened.has(n) ? opened.get(n).filter((other) => graph.has(other) && other !== kg.state.selected) : loose(n);
    opened.delete(n);
    added.filter((other) => opened.has(other)).forEach(graph.fold);
    remove(added.filter(graph.has));
    kg.say(added.length ? `${kg.count(added.length, "neighbour")} folded` : "Nothing to fold");
  };

  graph.toggle = async (n) => {
    await kg.data.reach(n);
    if (opened.has(n) || !graph.waiting(n).length) graph.fold(n);
    else await graph.expand(n);
  };

  const isHidden = (edge) => {
    const { data, state } = kg;
    if (!state.isShown(edge.from) || !state.isShown(edge.to) || state.hiddenTies.has(graph.family(edge.kind))) return true;
    if (graph.family(edge.kind) !== "mention") return false;
    const link = data.linksOf(edge.from).find((row) => data.entityOf(row) === edge.to);
    return link !== undefined && !state.linkPasses(link);
  };
  const refreshEdges = () => {
    const changed = edges.get().filter((edge) => Boolean(edge.hidden) !== isHidden(edge));
    if (changed.length) edges.update(changed.map((edge) => ({ id: edge.id, hidden: !edge.hidden })));
  };
  const refresh = () => {
    const changed = nodes.get().filter((node) => Boolean(node.hidden) === kg.state.isShown(node.id));
    if (changed.length) nodes.update(changed.map((node) => ({ id: node.id, hidden: !node.hidden })));
    refreshEdges();
    touch();
  };
  kg.on("filtered", refresh);

  kg.on("theme", () => {
    nodes.update(nodes.get().map((node) => ({ id: node.id, ...nodeStyle(node.group) })));
    edges.update(edges.get().map((edge) => ({ id: edge.id, ...edgeStyle(edge) })));
    touch();
  });

  /* Draw the strongest nodes that pass the filters instead of the overview, settled by vis-network's own forces. */
  graph.fill = async (count = 120) => {
    const list = await kg.data.strongest(count);
    if (!list.length) return kg.say("Nothing passes the filters");
    await kg.data.meet(list);
    clear();
    list.forEach((n) => graph.add([n]));
    settle();
    graph.isFilled = true;
    kg.say(`The ${list.length} strongest that pass`);
    return kg.frame.all();
  };

  const settle = () => {
    net.setOptions({ physics: { enabled: true } });
    net.stabilize(150);
    net.setOptions({ physics: { enabled: false } });
    net.storePositions();
  };

  const clear = () => {
    opened.clear();
    parallel.clear();
    edges.clear();
    nodes.clear();
  };

  /* Back to what the page opened with. */
  graph.restore = () => {
    clear();
    open();
    graph.isFilled = false;
    refresh();
    kg.frame.all();
  };

  /* Answer the pointer, once the data is there. */
  graph.listen = () => {
    net.on("click", ({ nodes: hit, edges: tied, event }) => {
      const { ctrlKey, metaKey } = event.srcEvent || {};
      if (hit.length && (ctrlKey || metaKey)) return kg.tell("selected", kg.state.selected);
      kg.go(hit.length ? hit[0] : null, true);
      if (!hit.length && tied.length === 1) kg.tie.show(edges.get(tied[0]));
      return undefined;
    });
    net.on("doubleClick", ({ nodes: hit }) => {
      if (!hit.length) return;
      graph.toggle(hit[0]).then(() => kg.state.selected === hit[0] && kg.card.show(hit[0]));
    });
    net.on("hoverNode", () => (kg.$("map").style.cursor = "pointer"));
    net.on("blurNode", () => (kg.$("map").style.cursor = ""));
  };

  graph.setPhysics = (enabled) => {
    net.setOptions({ physics: { enabled } });
    if (!enabled) net.storePositions();
  };
  return graph;
})();
