/* Names beside nodes: drawn by our own hand, so that they keep one size on the screen, appear with zoom and never cover one another. */
kg.labels = (() => {
  const labels = {};
  /* So many of the largest nodes are named even where the name has to cover a smaller node. */
  const strongest = 40;
  const widths = new Map();
  let kept = { key: "", list: [] };

  /* A paper holds its surroundings together, so its name comes before those of what hangs on it. */
  const weight = (node) => node.size + (node.group === "Paper" ? 2 : 0);

  const fontSize = (size, scale) => Math.max(11.5, Math.min(17, 8.8 + (size / kg.graph.swell ** 2) * 0.28 + Math.log2(Math.max(scale, 0.25)) * 0.8));

  /* The width of a text in units of its font's size. */
  const measure = (ctx, style, text) => {
    const key = style + text;
    if (!widths.has(key)) {
      ctx.font = `${style} 100px ${kg.look.font}`;
      widths.set(key, ctx.measureText(text).width / 100);
    }
    return widths.get(key);
  };

  const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

  /* Boxes in a grid of cells, so that a box is compared with those near it alone. */
  const grid = (cell) => {
    const cells = new Map();
    const each = (box, act) => {
      for (let x = Math.floor(box.left / cell); x <= Math.floor(box.right / cell); x++)
        for (let y = Math.floor(box.top / cell); y <= Math.floor(box.bottom / cell); y++) if (act(`${x},${y}`)) return true;
      return false;
    };
    return {
      add: (box) => each(box, (at) => void (cells.has(at) ? cells.get(at).push(box) : cells.set(at, [box]))),
      hits: (box, least = 0) =>
        each(box, (at) => (cells.get(at) || []).some((other) => other.owner !== box.owner && other.right - other.left >= least && overlaps(box, other))),
    };
  };

  /* Where a name may stand: below, above, right, left of its node. */
  const places = (spot, radius, width, height) => [
    { left: spot.x - width / 2, top: spot.y + radius + 3 },
    { left: spot.x - width / 2, top: spot.y - radius - 3 - height },
    { left: spot.x + radius + 5, top: spot.y - height / 2 },
    { left: spot.x - radius - 5 - width, top: spot.y - height / 2 },
  ];

  const isInside = (box, bounds) => !bounds || (box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom);

  /* The names to draw at a scale, in screen units relative to the drawing's origin. `first` nodes come before all others; none leaves the bounds. */
  labels.arrange = (ctx, scale, spots, nodes, first, bounds = null) => {
    const taken = grid(90);
    const ranked = nodes.map((node) => ({ node, x: spots[node.id].x * scale, y: spots[node.id].y * scale, radius: node.size * scale }));
    ranked.sort((a, b) => first.has(b.node.id) - first.has(a.node.id) || weight(b.node) - weight(a.node) || a.node.id - b.node.id);
    const discs = grid(90);
    for (const { node, x, y, radius } of ranked) {
      const r = radius * 0.8;
      discs.add({ left: x - r, right: x + r, top: y - r, bottom: y + r, owner: node.id });
    }
    const shown = [];
    for (const [rank, { node, x, y, radius }] of ranked.entries()) {
      if (!node.name || (radius < 3.2 && rank > 12 && !first.has(node.id))) continue;
      const size = fontSize(node.size, scale);
      const style = `${node.group === "Paper" ? "italic " : ""}${first.has(node.id) ? 600 : 500}`;
      const text = scale < 1.6 ? kg.short(node.name, (node.group === "Paper" ? 28 : 36) * (kg.phone() ? 0.7 : 1)) : node.name;
      const [width, height] = [measure(ctx, style, text) * size, size * 1.25];
      const pad = first.has(node.id) ? 3 : 4;
      const free = places({ x, y }, radius, width, height)
        .map(({ left, top }) => ({ left: left - pad, right: left + width + pad, top: top - 1, bottom: top + height + 1, owner: node.id }))
        .filter((box) => isInside(box, bounds) && !taken.hits(box));
      const box = free.find((place) => !discs.hits(place)) || (rank < strongest || first.has(node.id) ? free.find((place) => !discs.hits(place, 1.6 * radius)) : null);
      if (!box) continue;
      taken.add(box);
      shown.push({ id: node.id, text, size, style, left: box.left + pad, top: box.top + 1, width, height, isPaper: node.group === "Paper" });
    }
    return shown;
  };

  /* The names for the present zoom; they are arranged anew only when zoom, drawing or what is lit changes. */
  labels.current = (ctx, lit) => {
    const { net, nodes, version } = kg.graph;
    const scale = net.getScale();
    const bounds = kg.frame.bounds && Math.abs(scale / kg.frame.bounds.scale - 1) < 0.001 ? kg.frame.bounds : null;
    const key = [scale.toFixed(3), version, [...lit].join(), kg.look.font, bounds && Object.values(bounds).join()].join("|");
    if (kept.key !== key || kg.graph.isLoose) {
      const drawn = nodes.get({ filter: (node) => !node.hidden });
      kept = { key, list: labels.arrange(ctx, scale, net.getPositions(), drawn, lit, bounds), scale };
    }
    return kept;
  };

  labels.draw = (ctx, lit, isLit) => {
    const { list, scale } = labels.current(ctx, lit);
    ctx.save();
    ctx.scale(1 / scale, 1 / scale);
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    ctx.lineJoin = "round";
    for (const { id, text, size, style, left, top, height, isPaper } of list) {
      const dim = isLit && !lit.has(id);
      if (dim) continue;
      ctx.font = `${style} ${size}px ${kg.look.font}`;
      ctx.lineWidth = 3.5;
      ctx.strokeStyle = kg.look.fade(kg.look.ground, 0.9);
      ctx.strokeText(text, left, top + height / 2);
      ctx.fillStyle = isPaper ? kg.look.soft : kg.look.ink;
      ctx.fillText(text, left, top + height / 2);
    }
    ctx.restore();
  };
  return labels;
})();
