/* What part of the drawing the view shows: the room between the panels is what counts. */
kg.frame = (() => {
  const frame = {};
  const { net } = kg.graph;
  const map = kg.$("map");

  /* How much of the map's edges is covered, in pixels. */
  const covered = () => {
    const whole = map.getBoundingClientRect();
    const sides = { left: 0, right: 0, top: 0, bottom: 0 };
    for (const [id, side] of [["filters", "left"], ["card", "right"], ["table", "bottom"]]) {
      const panel = kg.$(id);
      if (panel.hidden) continue;
      const box = panel.getBoundingClientRect();
      if (kg.phone()) sides.bottom = id === "filters" ? sides.bottom : Math.max(sides.bottom, whole.bottom - box.top);
      else if (side === "left") sides.left = box.right - whole.left;
      else if (side === "right") sides.right = whole.right - box.left;
      else sides.bottom = whole.bottom - box.top;
    }
    return { ...sides, width: whole.width - sides.left - sides.right, height: whole.height - sides.top - sides.bottom };
  };

  const animation = (quick) => (quick || kg.still() ? false : { duration: 450, easingFunction: "easeInOutQuad" });

  const move = (x, y, scale, quick) => {
    const { left, right, bottom } = covered();
    net.moveTo({ position: { x, y }, scale, offset: { x: (left - right) / 2, y: -bottom / 2 }, animation: animation(quick) });
  };

  /* Show all that is drawn. */
  frame.all = (quick = false) => {
    const drawn = kg.graph.nodes.get({ filter: (node) => !node.hidden });
    if (!drawn.length) return;
    const spots = net.getPositions();
    const [xs, ys] = [drawn.map(({ id }) => spots[id].x), drawn.map(({ id }) => spots[id].y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const { width, height } = covered();
    const scale = Math.min((width - 90) / (right - left + 60), (height - 90) / (bottom - top + 60), 1.6);
    move((left + right) / 2, (top + bottom) / 2, Math.max(scale, 0.05), quick);
  };

  frame.focus = (n, quick = false) => {
    const { x, y } = net.getPosition(n);
    move(x, y, Math.max(net.getScale(), 0.9), quick);
  };

  frame.zoom = (factor) => {
    const { x, y } = net.getViewPosition();
    net.moveTo({ position: { x, y }, scale: Math.min(6, Math.max(0.04, net.getScale() * factor)), animation: kg.still() ? false : { duration: 160, easingFunction: "easeOutQuad" } });
  };

  frame.pan = (x, y) => {
    const at = net.getViewPosition();
    net.moveTo({ position: { x: at.x + x / net.getScale(), y: at.y + y / net.getScale() } });
  };
  return frame;
})();
