/* Export of the drawing as it is seen: a PNG, an SVG that stays text, the table as CSV. */
kg.save = (() => {
  const save = {};
  const NS = "http://www.w3.org/2000/svg";

  const offer = (blob, name) => {
    const url = URL.createObjectURL(blob);
    const link = kg.el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    kg.say(`${name} saved`);
  };

  const name = (ending) => {
    const what = kg.state.selected === null ? document.title : kg.data.label(kg.state.selected);
    return (kg.short(what, 50).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "graph") + ending;
  };

  save.png = () => {
    if (kg.graph.isWhole) kg.graph.repaint();
    const drawn = [...kg.$("map").querySelectorAll("canvas")];
    const canvas = kg.el("canvas", { width: drawn[0].width, height: drawn[0].height });
    const ctx = canvas.getContext("2d");
    ctx.fillStyle = kg.look.ground;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    drawn.forEach((layer) => ctx.drawImage(layer, 0, 0));
    canvas.toBlob((blob) => offer(blob, name(".png")), "image/png");
  };

  const element = (tag, properties, text) => {
    const made = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(properties)) made.setAttribute(key, String(value));
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const corners = (count, radius, turn) =>
    Array.from({ length: count }, (_, i) => {
      const angle = turn + (2 * Math.PI * i) / count;
      return [(radius * Math.cos(angle)).toFixed(1), (radius * Math.sin(angle)).toFixed(1)].join();
    }).join(" ");

  const shape = (node, spot) => {
    const { size, group } = node;
    const colour = kg.look.colour(group);
    const paint = { fill: group === "Paper" ? kg.look.ground : colour, stroke: group === "Paper" ? colour : kg.look.ground, "stroke-width": 2, transform: `translate(${spot.x} ${spot.y})` };
    const form = kg.look.types[group].shape;
    if (form === "square") return element("rect", { ...paint, x: -size, y: -size, width: 2 * size, height: 2 * size });
    if (form === "dot") return element("circle", { ...paint, r: size });
    const [count, turn] = { diamond: [4, 0], triangle: [3, -Math.PI / 2], hexagon: [6, 0] }[form];
    return element("polygon", { ...paint, points: corners(count, form === "triangle" ? size * 1.15 : size, turn) });
  };

  const line = (edge, spots) => {
    const [a, b] = [spots[edge.from], spots[edge.to]];
    const bow = edge.smooth ? edge.smooth.roundness * (edge.smooth.type === "curvedCW" ? -1 : 1) : 0;
    const [x, y] = [(a.x + b.x) / 2 - bow * (b.y - a.y), (a.y + b.y) / 2 + bow * (b.x - a.x)];
    const colour = edge.color.slice(0, 7);
    const alpha = parseInt(edge.color.slice(7) || "ff", 16) / 255;
    const dashes = edge.dashes ? { "stroke-dasharray": edge.dashes.join(" ") } : {};
    return element("path", { d: `M${a.x} ${a.y}Q${x.toFixed(1)} ${y.toFixed(1)} ${b.x} ${b.y}`, stroke: colour, "stroke-opacity": alpha.toFixed(2), "stroke-width": edge.width, ...dashes });
  };

  /* The drawing as an SVG document, at a scale at which most names find room. Its text is made of text nodes, so no name can become markup. */
  save.svgText = () => {
    const { graph, look, labels } = kg;
    const nodes = graph.nodes.get({ filter: (node) => !node.hidden });
    const spots = graph.net.getPositions();
    const scale = Math.max(0.9, graph.net.getScale());
    const box = nodes.reduce((b, { id, size }) => [Math.min(b[0], spots[id].x - size), Math.min(b[1], spots[id].y - size), Math.max(b[2], spots[id].x + size), Math.max(b[3], spots[id].y + size)], [0, 0, 1, 1]);
    const room = 80 / scale;
    const [x, y, width, height] = [box[0] - room, box[1] - room, box[2] - box[0] + 2 * room, box[3] - box[1] + 2 * room];
    const svg = element("svg", { xmlns: NS, viewBox: [x, y, width, height].map((v) => v.toFixed(1)).join(" "), width: Math.round(width * scale), height: Math.round(height * scale), "font-family": "system-ui, sans-serif" });
    svg.append(element("title", {}, document.title), element("rect", { x, y, width, height, fill: look.ground }));
    const [edges, dots, names] = [element("g", { fill: "none" }), element("g", {}), element("g", { fill: look.ink, "paint-order": "stroke", stroke: look.ground, "stroke-linejoin": "round" })];
    edges.append(...graph.edges.get({ filter: (edge) => !edge.hidden }).map((edge) => line(edge, spots)));
    for (const node of nodes) {
      const dot = shape(node, spots[node.id]);
      dot.append(element("title", {}, node.name));
      dots.append(dot);
    }
    const ctx = document.createElement("canvas").getContext("2d");
    for (const { text, size, left, top, height: tall } of labels.arrange(ctx, scale, spots, nodes, new Set()))
      names.append(element("text", { x: (left / scale).toFixed(1), y: ((top + tall * 0.78) / scale).toFixed(1), "font-size": (size / scale).toFixed(1), "stroke-width": (3 / scale).toFixed(1) }, text));
    svg.append(edges, dots, names);
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(svg);
  };

  save.svg = () => offer(new Blob([save.svgText()], { type: "image/svg+xml" }), name(".svg"));
  save.csv = async () => offer(new Blob(["\ufeff", await kg.table.csv()], { type: "text/csv" }), name(".csv"));
  return save;
})();
