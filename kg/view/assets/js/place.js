/* Free places for new nodes beside one that is drawn: rings around it, first on the side away from the middle of the drawing. */
kg.place = (list, origin) => {
  const { net } = kg.graph;
  const at = net.getPositions();
  const taken = Object.entries(at).map(([id, spot]) => ({ ...spot, size: kg.graph.nodes.get(Number(id)).size }));
  const centre = origin !== null && at[origin] ? at[origin] : net.getViewPosition();
  const outward = Math.atan2(centre.y, centre.x);
  const start = origin !== null && kg.graph.has(origin) ? kg.graph.nodes.get(origin).size + 42 : 0;
  const isFree = (x, y, size) => taken.every((other) => Math.hypot(other.x - x, other.y - y) > other.size + size + 20);
  const spots = new Map();
  for (const n of list) {
    const size = kg.graph.size(n);
    search: for (let radius = start; ; radius += 26) {
      const steps = Math.max(1, Math.floor((2 * Math.PI * radius) / 40));
      for (let step = 0; step < steps; step++) {
        const turn = (step % 2 ? 1 : -1) * Math.ceil(step / 2);
        const angle = outward + (2 * Math.PI * turn) / steps;
        const [x, y] = [centre.x + radius * Math.cos(angle), centre.y + radius * Math.sin(angle)];
        if (!isFree(x, y, size)) continue;
        spots.set(n, { x: Math.round(x), y: Math.round(y) });
        taken.push({ x, y, size });
        break search;
      }
    }
  }
  return spots;
};
