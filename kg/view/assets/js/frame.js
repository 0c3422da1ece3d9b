/* What part of the drawing the view shows: the room between the panels is what counts. */
kg.frame = (() => {
  const frame = { bounds: null };
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
    if (kg.phone()) sides.bottom = Math.max(sides.bottom, 56);
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
    const { left, right, top, bottom } = covered();
    const to = { x: x + (right - left) / 2 / scale, y: y + (bottom - top) / 2 / scale, scale };
    glide(to, quick || kg.still() ? 0 : 380);
    return to;
  };

  const touch = () => {
    turn++;
    frame.bounds = null;
  };
  net.on("dragStart", touch);
  net.on("zoom", touch);

  /* Show all that is drawn, or some nodes of it. Until the view is moved, `bounds` says within which pixels from the drawing's origin names are to
     stay, and the view follows when the room changes. */
  frame.all = (quick = false, some = null) => {
    const nodes = kg.graph.nodes.get({ filter: (node) => !node.hidden && (!some || some.includes(node.id)) });
    if (!nodes.length) return;
    const spots = net.getPositions(nodes.map(({ id }) => id));
    const ends = (axis) => [Math.min(...nodes.map(({ id, size }) => spots[id][axis] - size)), Math.max(...nodes.map(({ id, size }) => spots[id][axis] + size))];
    const [[left, right], [top, bottom]] = [ends("x"), ends("y")];
    const room = covered();
    const scale = Math.max(0.05, Math.min((room.width - 40) / (right - left), (room.height - 60) / (bottom - top), 1.5));
    const to = move((left + right) / 2, (top + bottom) / 2, scale, quick);
    const [x, y] = [to.x * scale - map.clientWidth / 2, to.y * scale - map.clientHeight / 2];
    frame.bounds = some ? null : { scale, left: x + room.left + 4, right: x + room.left + room.width - 4, top: y + room.top + 4, bottom: y + room.top + room.height - 4 };
  };

  frame.again = () => frame.bounds && frame.all(true);
  net.on("resize", () => requestAnimationFrame(frame.again));

  /* A node and those of its neighbours that fit beside it at a scale that reads well. */
  frame.focus = (n, quick = false) => {
    const spots = net.getPositions([n, ...kg.graph.neighbours(n)]);
    const centre = spots[n];
    const { width, height } = covered();
    const away = Object.values(spots).map(({ x, y }) => Math.max(Math.abs(x - centre.x) / (width / 2 - 90), Math.abs(y - centre.y) / (height / 2 - 40)));
    const most = away.sort((a, b) => a - b)[Math.floor((away.length - 1) * 0.7)];
    const scale = Math.min(1.15, Math.max(0.65, 1 / Math.max(most, 1e-6)));
    frame.bounds = null;
    move(centre.x, centre.y, scale, quick);
  };

  /* Move the view just so far that a node is not under a panel. */
  frame.reveal = (n) => {
    const at = net.canvasToDOM(net.getPosition(n));
    const { left, right, top, bottom, width, height } = covered();
    const inside = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));
    const [x, y] = [inside(at.x, left + 60, left + width - 60), inside(at.y, top + 40, top + height - 40)];
    if (x === at.x && y === at.y) return;
    const [scale, view] = [net.getScale(), net.getViewPosition()];
    frame.bounds = null;
    glide({ x: view.x + (at.x - x) / scale, y: view.y + (at.y - y) / scale, scale }, kg.still() ? 0 : 250);
  };

  frame.zoom = (factor) => {
    frame.bounds = null;
    glide({ ...net.getViewPosition(), scale: Math.min(6, Math.max(0.04, net.getScale() * factor)) }, kg.still() ? 0 : 160);
  };

  frame.middle = () => net.getViewPosition();

  frame.pan = (x, y) => {
    frame.bounds = null;
    const at = net.getViewPosition();
    net.moveTo({ position: { x: at.x + x / net.getScale(), y: at.y + y / net.getScale() } });
  };
  return frame;
})();
