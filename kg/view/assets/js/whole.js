/* The whole graph at once, drawn by sigma.js on the graphics card: the same parts of the page around another drawing. */
kg.graph = (() => {
  const { Sigma, MultiGraph } = whole;
  const graph = { isWhole: true };
  const chosen = new Set();
  let hovered = null;
  let lit = null;
  let model, renderer;

  graph.family = (kind) => (kg.look.roles[kind] ? "mention" : kind === "variant" ? kind : "relation");
  graph.families = () => {
    const { relations, entities } = kg.data;
    return new Set(["mention", relations.head.length && "relation", entities.parents.some((parents) => parents.length) && "variant"]);
  };
  graph.has = () => true;
  graph.drawn = () => Array.from({ length: kg.data.total }, (_, n) => n).filter(kg.state.isShown);
  graph.chosen = () => [...chosen];
  graph.spots = (list) => Object.fromEntries(list.map((n) => [n, { x: kg.data.spots.x[n], y: -kg.data.spots.y[n] }]));
  graph.neighbours = (n) => {
    const { data } = kg;
    const linked = [...data.linksOf(n)].map(data.isPaper(n) ? data.entityOf : data.paperOf);
    const stated = data.relationsOf(n).map((row) => data.otherEnd(row, n));
    return [...new Set([...linked, ...stated, ...data.kin(n)])].filter(kg.state.isShown);
  };
  graph.waiting = () => [];

  graph.choose = (n) => {
    chosen.clear();
    if (n !== null) chosen.add(n);
    light();
  };

  graph.toggle = async () => {};

  const light = () => {
    const sources = hovered === null ? [...chosen] : [hovered];
    lit = sources.length ? new Set(sources.flatMap((n) => [n, ...graph.neighbours(n)])) : null;
    renderer?.refresh({ skipIndexation: true });
  };

  const drawNode = (n, look) => {
    if (!kg.state.isShown(Number(n))) return { ...look, hidden: true };
    if (lit && !lit.has(Number(n))) return { ...look, label: null, color: kg.look.pale };
    return lit ? { ...look, zIndex: 1, forceLabel: lit.size < 40 || chosen.has(Number(n)) } : look;
  };

  const drawEdge = (edge, look) => {
    const [from, to] = [Number(look.from), Number(look.to)];
    const { state } = kg;
    if (!state.isShown(from) || !state.isShown(to) || state.hiddenTies.has(look.link === null ? "relation" : "mention")) return { ...look, hidden: true };
    if (look.link !== null && !state.linkPasses(look.link)) return { ...look, hidden: true };
    if (!lit) return look;
    const sources = hovered === null ? chosen : new Set([hovered]);
    return sources.has(from) || sources.has(to) ? { ...look, color: kg.look.accent, size: 0.7, zIndex: 1 } : { ...look, hidden: true };
  };

  const size = (n) => {
    const root = Math.sqrt(kg.data.degree(n));
    return kg.data.isPaper(n) ? 1.6 + 0.15 * root : Math.min(22, 1.3 + 0.75 * root);
  };

  const fill = () => {
    const { data, look } = kg;
    model = new MultiGraph();
    for (let n = 0; n < data.total; n++)
      model.addNode(n, { x: data.spots.x[n], y: -data.spots.y[n], size: size(n), color: look.colour(data.type(n)), label: kg.short(data.label(n), 48) });
    for (let link = 0; link < data.links.paper.length; link++) {
      const [from, to] = [data.paperOf(link), data.entityOf(link)];
      model.addEdge(from, to, { from, to, link, size: 0.35, color: look.thread });
    }
    data.relations.head.forEach((from, row) => {
      const to = data.relations.tail[row];
      model.addEdge(from, to, { from, to, link: null, size: 0.35, color: look.thread });
    });
  };

  const paint = () => {
    const { look } = kg;
    look.pale = look.isDark ? "#262d39" : "#e3e6ea";
    look.thread = look.isDark ? "#232a35" : "#e2e5ea";
    if (!renderer) return;
    model.updateEachNodeAttributes((n, attributes) => ({ ...attributes, color: look.colour(kg.data.type(Number(n))) }), { attributes: ["color"] });
    model.updateEachEdgeAttributes((_, attributes) => ({ ...attributes, color: look.thread }), { attributes: ["color"] });
    renderer.setSetting("labelColor", { color: look.ink });
  };
  paint();
  kg.on("theme", paint);

  /* Names with a halo of the ground, as on the map page. */
  const drawLabel = (ctx, node, settings) => {
    if (!node.label) return;
    ctx.font = `500 ${settings.labelSize}px ${kg.look.font}`;
    ctx.lineWidth = 3.5;
    ctx.lineJoin = "round";
    ctx.strokeStyle = kg.look.ground;
    ctx.strokeText(node.label, node.x + node.size + 4, node.y + settings.labelSize / 3);
    ctx.fillStyle = kg.look.ink;
    ctx.fillText(node.label, node.x + node.size + 4, node.y + settings.labelSize / 3);
  };

  const drawHover = (ctx, node, settings) => {
    ctx.beginPath();
    ctx.arc(node.x, node.y, node.size + 4, 0, 2 * Math.PI);
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = kg.look.accent;
    ctx.stroke();
    drawLabel(ctx, node, settings);
  };

  graph.listen = () => {
    fill();
    renderer = new Sigma(model, kg.$("map"), {
      nodeReducer: drawNode,
      edgeReducer: drawEdge,
      defaultDrawNodeLabel: drawLabel,
      defaultDrawNodeHover: drawHover,
      hideEdgesOnMove: true,
      labelDensity: 0.6,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: 7,
      labelSize: 12.5,
      zIndex: true,
      minEdgeThickness: 0.6,
    });
    graph.renderer = renderer;
    renderer.on("clickNode", ({ node }) => kg.go(Number(node), true));
    renderer.on("clickStage", () => kg.go(null, true));
    renderer.on("enterNode", ({ node }) => {
      hovered = Number(node);
      light();
    });
    renderer.on("leaveNode", () => {
      hovered = null;
      light();
    });
    kg.on("filtered", () => renderer.refresh({ skipIndexation: true }));
    kg.on("selected", (n) => graph.choose(n));
  };

  graph.repaint = () => {
    renderer.refresh();
    renderer.render?.();
  };

  kg.frame = {
    again: () => {},
    reveal: () => {},
    all: (quick = false) => renderer && renderer.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1.05, angle: 0 }, { duration: quick || kg.still() ? 1 : 300 }),
    focus: (n, quick = false) => {
      const at = renderer.getNodeDisplayData(n);
      const camera = renderer.getCamera();
      camera.animate({ x: at.x, y: at.y, ratio: Math.min(camera.ratio, 0.18) }, { duration: quick || kg.still() ? 1 : 400 });
    },
    zoom: (factor) => {
      const camera = renderer.getCamera();
      camera.animate({ ratio: camera.ratio / factor }, { duration: kg.still() ? 1 : 160 });
    },
    pan: (x, y) => {
      const camera = renderer.getCamera();
      camera.setState({ x: camera.x + (x / 1000) * camera.ratio, y: camera.y - (y / 1000) * camera.ratio });
    },
    middle: () => {
      const { width, height } = renderer.getDimensions();
      const at = renderer.viewportToGraph({ x: width / 2, y: height / 2 });
      return { x: at.x, y: at.y };
    },
  };
  return graph;
})();
