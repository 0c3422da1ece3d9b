/* The whole graph at once, drawn by sigma.js on the graphics card: the same parts of the page around another drawing. */
kg.graph = (() => {
  const { Sigma, MultiGraph, EdgeLineProgram, NodePointProgram } = whole;
  const graph = { isWhole: true };
  const chosen = new Set();
  let hovered = null;
  let moving = true;
  let model, renderer, layer;

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
  graph.toggle = async () => {};

  graph.choose = (n) => {
    chosen.clear();
    if (n !== null) chosen.add(n);
    light();
  };

  /* While the view moves, the lines and the picture that tells the nodes apart are not drawn: they take longer than a frame lasts. */
  class Threads extends EdgeLineProgram {
    render(parameters) {
      if (!moving) super.render(parameters);
    }
  }
  class Dots extends NodePointProgram {
    renderProgram(parameters, program) {
      if (!moving || !program.isPicking) super.renderProgram(parameters, program);
    }
  }
  const move = () => {
    moving = true;
    clearTimeout(move.rest);
    move.rest = setTimeout(() => {
      moving = false;
      renderer.scheduleRender();
    }, 250);
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
    const tie = (from, to, family, link = null) => model.addEdge(from, to, { from, to, family, link });
    for (let link = 0; link < data.links.paper.length; link++) tie(data.paperOf(link), data.entityOf(link), "mention", link);
    data.relations.head.forEach((from, row) => tie(from, data.relations.tail[row], "relation"));
    data.entities.parents.forEach((parents, n) => parents.forEach((parent) => tie(n, parent, "variant")));
  };

  const showNode = (n, look) => (kg.state.isShown(Number(n)) ? look : { ...look, hidden: true });

  const showEdge = (_, look) => {
    const { state } = kg;
    const passes = state.isShown(look.from) && state.isShown(look.to) && !state.hiddenTies.has(look.family) && (look.link === null || state.linkPasses(look.link));
    return passes ? look : { ...look, hidden: true };
  };

  const write = (ctx, text, x, y, size) => {
    ctx.font = `500 ${size}px ${kg.look.font}`;
    ctx.lineWidth = 3.5;
    ctx.lineJoin = "round";
    ctx.strokeStyle = kg.look.ground;
    ctx.strokeText(text, x, y);
    ctx.fillStyle = kg.look.ink;
    ctx.fillText(text, x, y);
  };

  const drawLabel = (ctx, node, settings) => node.label && write(ctx, node.label, node.x + node.size + 4, node.y + settings.labelSize / 3, settings.labelSize);

  /* What is under the pointer or chosen, with its neighbours, above a veil over all else. */
  const light = () => {
    if (!layer) return;
    const { width, height } = renderer.getDimensions();
    layer.clearRect(0, 0, width, height);
    const sources = (hovered === null ? [...chosen] : [hovered]).filter(kg.state.isShown);
    if (!sources.length) return;
    layer.fillStyle = kg.look.fade(kg.look.ground, 0.8);
    layer.fillRect(0, 0, width, height);
    const lit = new Set([...sources.flatMap(graph.neighbours).filter((n) => !sources.includes(n)), ...sources]);
    const spots = new Map([...lit].map((n) => {
      const { x, y, size: radius } = renderer.getNodeDisplayData(n);
      return [n, { ...renderer.framedGraphToViewport({ x, y }), radius: Math.max(2, renderer.scaleSize(radius)) }];
    }));
    layer.beginPath();
    for (const n of sources) {
      for (const other of graph.neighbours(n)) {
        layer.moveTo(spots.get(n).x, spots.get(n).y);
        layer.lineTo(spots.get(other).x, spots.get(other).y);
      }
    }
    layer.lineWidth = 1;
    layer.strokeStyle = kg.look.fade(kg.look.edge, Math.min(0.6, 60 / lit.size));
    layer.stroke();
    const circle = ({ x, y, radius }, more = 0) => {
      layer.beginPath();
      layer.arc(x, y, radius + more, 0, 2 * Math.PI);
    };
    for (const [n, spot] of spots) {
      circle(spot);
      layer.fillStyle = kg.look.colour(kg.data.type(n));
      layer.fill();
    }
    for (const n of sources) {
      circle(spots.get(n), 4);
      layer.lineWidth = 2.5;
      layer.strokeStyle = kg.look.accent;
      layer.stroke();
    }
    name([...sources, ...[...lit].sort((a, b) => kg.data.degree(b) - kg.data.degree(a)).slice(0, 60)], spots);
  };

  /* Names beside nodes, as many as find room. */
  const name = (nodes, spots) => {
    const taken = [];
    for (const n of nodes) {
      const { x, y, radius } = spots.get(n);
      const text = kg.short(kg.data.label(n), 48);
      layer.font = `500 13px ${kg.look.font}`;
      const box = { left: x + radius + 5, right: x + radius + 5 + layer.measureText(text).width, top: y - 8, bottom: y + 8 };
      if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
      taken.push(box);
      write(layer, text, box.left, y + 4.5, 13);
    }
  };

  const thread = () => (kg.look.isDark ? "#232a35" : "#e2e5ea");
  kg.on("theme", () => {
    if (!renderer) return;
    model.updateEachNodeAttributes((n, attributes) => ({ ...attributes, color: kg.look.colour(kg.data.type(Number(n))) }), { attributes: ["color"] });
    renderer.setSetting("defaultEdgeColor", thread());
  });

  graph.listen = () => {
    fill();
    renderer = new Sigma(model, kg.$("map"), {
      nodeReducer: showNode,
      edgeReducer: showEdge,
      nodeProgramClasses: { circle: Dots },
      edgeProgramClasses: { line: Threads },
      defaultEdgeColor: thread(),
      defaultDrawNodeLabel: drawLabel,
      defaultDrawNodeHover: () => {},
      labelDensity: 0.6,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: 7,
      labelSize: 12.5,
    });
    graph.renderer = renderer;
    layer = renderer.createCanvas("lit", { afterLayer: "labels" }).getContext("2d");
    renderer.canvasContexts.lit = layer;
    renderer.resize(true);
    kg.frame.all(true);
    moving = false;
    renderer.scheduleRender();
    renderer.on("afterRender", light);
    renderer.getCamera().on("updated", move);
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

  graph.repaint = () => renderer.render();

  /* Put a point of the drawing in the middle of the room. */
  const fly = (x, y, ratio, duration) => {
    const { left, right, top, bottom } = kg.room();
    const cameraState = { x, y, ratio, angle: 0 };
    const [zero, aside] = [{ x: 0, y: 0 }, { x: (right - left) / 2, y: (bottom - top) / 2 }].map((at) => renderer.viewportToFramedGraph(at, { cameraState }));
    const to = { ...cameraState, x: x + aside.x - zero.x, y: y + aside.y - zero.y };
    if (duration) renderer.getCamera().animate(to, { duration });
    else renderer.getCamera().setState(to);
  };

  kg.frame = {
    again: () => {},
    reveal: () => {},
    all: (quick = false) => {
      if (!renderer) return;
      const { width, height } = kg.room();
      const [wide, high] = [kg.$("map").clientWidth, kg.$("map").clientHeight];
      fly(0.5, 0.5, 1.02 * Math.max(1, Math.min(wide, high) / Math.min(width, height)), quick || kg.still() ? 0 : 300);
    },
    focus: (n, quick = false) => {
      const { x, y } = renderer.getNodeDisplayData(n);
      fly(x, y, Math.min(renderer.getCamera().ratio, 0.18), quick || kg.still() ? 0 : 400);
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
