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

  /* vis-network counts frames where it should count milliseconds, so that its own animation crawls on a slow machine. */
  let turn = 0;
  const glide = (to, milliseconds) => {
    const from = { ...net.getViewPosition(), scale: net.getScale() };
    const mine = ++turn;
    const start = performance.now();
    const step = (now) => {
      if (mine !== turn) return;
      const part = milliseconds ? Math.min(1, Math.max(0, (now - start) / milliseconds)) : 1;
      const eased = part * part * (3 - 2 * part);
      const scale = from.scale * (to.scale / from.scale) ** eased;
      net.moveTo({ position: { x: from.x + (to.x - from.x) * eased, y: from.y + (to.y - from.y) * eased }, scale });
      if (part < 1) requestAnimationFrame(step);
    };
    step(milliseconds ? start : start + 1);
  };

  const move = (x, y, scale, quick) => {
    const { left, right, bottom } = covered();
    glide({ x: x + (right - left) / 2 / scale, y: y + bottom / 2 / scale, scale }, quick || kg.still() ? 0 : 380);
  };
  net.on("dragStart", () => turn++);
  net.on("zoom", () => turn++);

  /* Show all that is drawn, or some nodes of it. */
  frame.all = (quick = false, some = null) => {
    const drawn = kg.graph.nodes.get({ filter: (node) => !node.hidden && (!some || some.includes(node.id)) });
    if (!drawn.length) return;
    const spots = net.getPositions();
    const [xs, ys] = [drawn.map(({ id }) => spots[id].x), drawn.map(({ id }) => spots[id].y)];
    const [left, right, top, bottom] = [Math.min(...xs) - 20, Math.max(...xs) + 20, Math.min(...ys) - 20, Math.max(...ys) + 20];
    const { width, height } = covered();
    const scale = Math.min((width - Math.min(150, width / 6)) / (right - left), (height - 70) / (bottom - top), 1.5);
    move((left + right) / 2, (top + bottom) / 2, Math.max(scale, kg.phone() ? 0.34 : 0.05), quick);
  };

  /* A node and those of its neighbours that fit beside it at a scale that reads well. */
  frame.focus = (n, quick = false) => {
    const spots = net.getPositions([n, ...kg.graph.neighbours(n)]);
    const centre = spots[n];
    const { width, height } = covered();
    const away = Object.values(spots).map(({ x, y }) => Math.max(Math.abs(x - centre.x) / (width / 2 - 90), Math.abs(y - centre.y) / (height / 2 - 40)));
    const most = away.sort((a, b) => a - b)[Math.floor((away.length - 1) * 0.7)];
    const scale = Math.min(1.15, Math.max(0.65, 1 / Math.max(most, 1e-6)));
    move(centre.x, centre.y, scale, quick);
  };

  frame.zoom = (factor) => {
    glide({ ...net.getViewPosition(), scale: Math.min(6, Math.max(0.04, net.getScale() * factor)) }, kg.still() ? 0 : 160);
  };

  frame.middle = () => net.getViewPosition();

  frame.pan = (x, y) => {
    const at = net.getViewPosition();
    net.moveTo({ position: { x: at.x + x / net.getScale(), y: at.y + y / net.getScale() } });
  };
  return frame;
})();
