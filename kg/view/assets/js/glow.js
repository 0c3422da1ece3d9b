/* Light on what is under the pointer or selected, with its neighbours; a veil over the rest. And what is drawn while the view moves. */
kg.glow = (() => {
  const glow = { hovered: null };
  const { graph } = kg;
  const { net, edges } = graph;
  let resting;

  const focus = () => (glow.hovered !== null && graph.has(glow.hovered) ? glow.hovered : kg.state.selected);

  glow.lit = () => {
    const chosen = new Set(net.getSelectedNodes());
    const n = focus();
    if (n !== null && graph.has(n)) chosen.add(n);
    return new Set([...chosen].flatMap((node) => [node, ...graph.neighbours(node)]));
  };

  const veil = (ctx) => {
    const [from, to] = [net.DOMtoCanvas({ x: 0, y: 0 }), net.DOMtoCanvas({ x: kg.$("map").clientWidth, y: kg.$("map").clientHeight })];
    ctx.fillStyle = kg.look.fade(kg.look.ground, 0.82);
    ctx.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
  };

  const ring = (ctx, n) => {
    const { x, y } = net.getPosition(n);
    const scale = net.getScale();
    ctx.beginPath();
    ctx.arc(x, y, graph.nodes.get(n).size + 5 / scale, 0, 2 * Math.PI);
    ctx.lineWidth = 2.5 / scale;
    ctx.strokeStyle = kg.look.accent;
    ctx.stroke();
  };

  const light = (ctx, lit) => {
    const sources = new Set([...net.getSelectedNodes(), focus()]);
    veil(ctx);
    for (const n of sources) {
      if (n === null || !graph.has(n)) continue;
      for (const id of net.getConnectedEdges(n)) {
        const edge = net.body.edges[id];
        if (edge && !edge.options.hidden) edge.draw(ctx);
      }
    }
    for (const n of lit) if (net.body.nodes[n]) net.body.nodes[n].draw(ctx);
    for (const n of sources) if (n !== null && graph.has(n) && kg.state.isShown(n)) ring(ctx, n);
  };

  net.on("afterDrawing", (ctx) => {
    const lit = glow.lit();
    if (lit.size) light(ctx, lit);
    kg.labels.draw(ctx, lit, lit.size > 0);
  });

  /* While the view moves only the strongest edges are drawn, all in one stroke. */
  net.on("beforeDrawing", (ctx) => {
    if (!graph.isMoving) return;
    const spots = net.getPositions();
    ctx.beginPath();
    for (const { from, to } of thin()) {
      ctx.moveTo(spots[from].x, spots[from].y);
      ctx.lineTo(spots[to].x, spots[to].y);
    }
    ctx.lineWidth = 1 / net.getScale();
    ctx.strokeStyle = kg.look.fade(kg.look.edge, 0.4);
    ctx.stroke();
  });

  let few = { version: -1, list: [] };
  const thin = () => {
    if (few.version !== graph.version) {
      const list = edges.get({ filter: (edge) => !edge.hidden });
      list.sort((a, b) => b.width - a.width || (a.id < b.id ? -1 : 1));
      few = { version: graph.version, list: list.slice(0, Math.max(80, list.length / 4)) };
    }
    return few.list;
  };

  const move = () => {
    graph.isMoving = true;
    clearTimeout(resting);
  };
  const rest = (delay) => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      graph.isMoving = false;
      net.redraw();
    }, delay);
  };
  net.on("dragStart", ({ nodes }) => nodes.length || move());
  net.on("dragging", ({ nodes }) => (graph.isLoose = nodes.length > 0));
  net.on("dragEnd", () => {
    if (graph.isLoose) net.storePositions();
    graph.isLoose = false;
    rest(0);
  });
  net.on("zoom", () => {
    move();
    rest(300);
  });
  net.on("hoverNode", ({ node }) => {
    glow.hovered = node;
    net.redraw();
  });
  net.on("blurNode", () => {
    glow.hovered = null;
    net.redraw();
  });
  kg.on("drawn", () => net.redraw());
  kg.on("selected", () => net.redraw());
  return glow;
})();
