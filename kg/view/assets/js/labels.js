/* Names beside nodes: drawn by our own hand, so that they keep one size on the screen, appear with zoom and never cover one another. */
kg.labels = (() => {
  const labels = {};
  const widths = new Map();
  let kept = { key: "", list: [] };

  const fontSize = (size, scale) => Math.max(11, Math.min(17, 8.5 + size * 0.28 + Math.log2(Math.max(scale, 0.25)) * 0.8));

  const measure = (ctx, text) => {
    if (!widths.has(text)) {
      ctx.font = `500 100px ${kg.look.font}`;
      widths.set(text, ctx.measureText(text).width / 100);
    }
    return widths.get(text);
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
      hits: (box) => each(box, (at) => (cells.get(at) || []).some((other) => other.owner !== box.owner && overlaps(box, other))),
    };
  };

  /* Where a name may stand: below, above, right, left of its node. */
  const places = (spot, radius, width, height) => [
    { left: spot.x - width / 2, top: spot.y + radius + 3, align: "center" },
    { left: spot.x - width / 2, top: spot.y - radius - 3 - height, align: "center" },
    { left: spot.x + radius + 5, top: spot.y - height / 2, align: "left" },
    { left: spot.x - radius - 5 - width, top: spot.y - height / 2, align: "right" },
  ];

  /* The names to draw at a scale, in screen units relative to the drawing's origin. `first` nodes come before all others. */
  labels.arrange = (ctx, scale, spots, nodes, first) => {
    const taken = grid(90);
    const ranked = nodes.map((node) => ({ node, x: spots[node.id].x * scale, y: spots[node.id].y * scale, radius: node.size * scale }));
    ranked.sort((a, b) => first.has(b.node.id) - first.has(a.node.id) || b.node.size - a.node.size || a.node.id - b.node.id);
    for (const { node, x, y, radius } of ranked) {
      const r = radius * 0.8;
      taken.add({ left: x - r, right: x + r, top: y - r, bottom: y + r, owner: node.id });
    }
    const shown = [];
    for (const { node, x, y, radius } of ranked) {
      if (!node.name || (!first.has(node.id) && radius < 3.2)) continue;
      const size = fontSize(node.size, scale);
      const text = scale < 1.2 && !first.has(node.id) ? kg.short(node.name, 32) : node.name;
      const [width, height] = [measure(ctx, text) * size, size * 1.25];
      const pad = first.has(node.id) ? 1 : 4;
      for (const { left, top, align } of places({ x, y }, radius, width, height)) {
        const box = { left: left - pad, right: left + width + pad, top: top - 1, bottom: top + height + 1, owner: node.id };
        if (taken.hits(box)) continue;
        taken.add(box);
        shown.push({ id: node.id, text, size, left, top, width, height, align });
        break;
      }
    }
    return shown;
  };

  /* The names for the present zoom; they are arranged anew only when zoom, drawing or what is lit changes. */
  labels.current = (ctx, lit) => {
    const { net, nodes, version } = kg.graph;
    const scale = net.getScale();
    const key = [scale.toFixed(3), version, [...lit].join(), kg.look.font].join("|");
    if (kept.key !== key || kg.graph.isLoose) {
      const drawn = nodes.get({ filter: (node) => !node.hidden });
      kept = { key, list: labels.arrange(ctx, scale, net.getPositions(), drawn, lit), scale };
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
    for (const { id, text, size, left, top, height } of list) {
      const dim = isLit && !lit.has(id);
      if (dim) continue;
      ctx.font = `${lit.has(id) ? 600 : 500} ${size}px ${kg.look.font}`;
      ctx.lineWidth = 3.5;
      ctx.strokeStyle = kg.look.fade(kg.look.ground, 0.9);
      ctx.strokeText(text, left, top + height / 2);
      ctx.fillStyle = kg.look.ink;
      ctx.fillText(text, left, top + height / 2);
    }
    ctx.restore();
  };
  return labels;
})();
