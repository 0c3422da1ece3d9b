/* What part of the drawing the view shows: the room between the panels is what counts. */
kg.frame = (() => {
  const frame = { bounds: null };
  const { net } = kg.graph;
  const map = kg.$("map");

  /* vis-network counts frames where it should count milliseconds, so that its own animation crawls on a slow machine. */
  let turn = 0;
  let showsAll = false;
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

  /* Put a point of the drawing in the middle of the room. Until the view is moved, `bounds` says within which pixels from the drawing's origin names
     are to stay. */
  const move = (x, y, scale, quick) => {
    const room = kg.room();
    const to = { x: x + (room.right - room.left) / 2 / scale, y: y + (room.bottom - room.top) / 2 / scale, scale };
    glide(to, quick || kg.still() ? 0 : 380);
    const [left, top] = [to.x * scale - map.clientWidth / 2 + room.left, to.y * scale - map.clientHeight / 2 + room.top];
    frame.bounds = { scale, left: left + 4, right: left + room.width - 4, top: top + 4, bottom: top + room.height - 4 };
    showsAll = false;
  };

  const touch = () => {
    turn++;
    leave();
  };
  const leave = () => {
    frame.bounds = null;
    showsAll = false;
  };
  net.on("dragStart", touch);
  net.on("zoom", touch);

  /* Show all that is drawn, or some nodes of it. */
  frame.all = (quick = false, some = null) => {
    const nodes = kg.graph.nodes.get({ filter: (node) => !node.hidden && (!some || some.includes(node.id)) });
    if (!nodes.length) return;
    const spots = net.getPositions(nodes.map(({ id }) => id));
    const ends = (axis) => [Math.min(...nodes.map(({ id, size }) => spots[id][axis] - size)), Math.max(...nodes.map(({ id, size }) => spots[id][axis] + size))];
    const [[left, right], [top, bottom]] = [ends("x"), ends("y")];
    const { width, height } = kg.room();
    const scale = Math.max(0.05, Math.min((width - 40) / (right - left), (height - 60) / (bottom - top), 1.5));
    move((left + right) / 2, (top + bottom) / 2, scale, quick);
    showsAll = !some;
  };

  /* What shows all goes on doing so when the room changes. */
  frame.again = () => showsAll && frame.all(true);
  net.on("resize", () => requestAnimationFrame(frame.again));

  /* A node and those of its neighbours that fit beside it at a scale that reads well. */
  frame.focus = (n, quick = false) => {
    const spots = net.getPositions([n, ...kg.graph.neighbours(n)]);
    const centre = spots[n];
    const { width, height } = kg.room();
    const away = Object.values(spots).map(({ x, y }) => Math.max(Math.abs(x - centre.x) / (width / 2 - 90), Math.abs(y - centre.y) / (height / 2 - 40)));
    const most = away.sort((a, b) => a - b)[Math.floor((away.length - 1) * 0.7)];
    const scale = Math.min(1.15, Math.max(0.65, 1 / Math.max(most, 1e-6)));
    move(centre.x, centre.y, scale, quick);
  };

  /* Move the view just so far that a node is not under a panel. */
  frame.reveal = (n) => {
    const at = net.canvasToDOM(net.getPosition(n));
    const { left, right, top, bottom, width, height } = kg.room();
    const inside = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));
    const [x, y] = [inside(at.x, left + 60, left + width - 60), inside(at.y, top + 40, top + height - 40)];
    if (x === at.x && y === at.y) return;
    const [scale, view] = [net.getScale(), net.getViewPosition()];
    leave();
    glide({ x: view.x + (at.x - x) / scale, y: view.y + (at.y - y) / scale, scale }, kg.still() ? 0 : 250);
  };

  frame.zoom = (factor) => {
    leave();
    glide({ ...net.getViewPosition(), scale: Math.min(6, Math.max(0.04, net.getScale() * factor)) }, kg.still() ? 0 : 160);
  };

  frame.middle = () => net.getViewPosition();

  frame.pan = (x, y) => {
    leave();
    const at = net.getViewPosition();
    net.moveTo({ position: { x: at.x + x / net.getScale(), y: at.y + y / net.getScale() } });
  };
  return frame;
})();
