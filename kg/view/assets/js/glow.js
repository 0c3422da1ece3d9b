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
        if (!edge || !kg.state.isShown(edge.fromId) || !kg.state.isShown(edge.toId)) continue;
        edge.draw(ctx);
        edge.drawArrows(ctx);
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

  /* The ground under each community: its hull with round corners, too faint to compete with what lies on it. */
  const ground = (ctx, spots) => {
    ctx.lineJoin = "round";
    ctx.lineWidth = 76;
    ctx.fillStyle = ctx.strokeStyle = kg.look.region;
    for (const members of kg.facts.communities) {
      const points = members.filter((n) => spots[n] && kg.state.isShown(n)).map((n) => spots[n]);
      if (points.length < 4) continue;
      const outline = hull(points);
      ctx.beginPath();
      outline.forEach(({ x, y }, i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
      ctx.closePath();
      ctx.fill();
      ctx.stroke();
    }
  };

  /* The convex hull of points, by Andrew's monotone chain. */
  const hull = (points) => {
    const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    const half = (list) =>
      list.reduce((chain, p) => {
        while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
        chain.push(p);
        return chain;
      }, []);
    const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
  };

  /* While the view moves only the strongest edges are drawn, all in one stroke. */
  net.on("beforeDrawing", (ctx) => {
    const spots = net.getPositions();
    if (!graph.isFilled) ground(ctx, spots);
    if (!graph.isMoving) return;
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
