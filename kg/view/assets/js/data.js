/* What the page knows. Entity n is node n, paper n is node entities + n; links, relations and results are rows of columns. */
kg.data = (() => {
  const data = { ready: false };
  const lookup = new Map();
  let linkOfEntity, entityStart, paperStart, relationOfEntity;

  /* The rows of a table by the number in one column, as one array with the place where each number's rows start. */
  const group = (column, count) => {
    const start = new Uint32Array(count + 1);
    for (const n of column) start[n + 1]++;
    for (let n = 0; n < count; n++) start[n + 1] += start[n];
    const next = start.slice();
    const rows = new Uint32Array(column.length);
    column.forEach((n, row) => (rows[next[n]++] = row));
    return [start, rows];
  };

  data.open = (graph) => {
    Object.assign(data, graph);
    data.size = graph.entities.id.length;
    data.total = data.size + graph.papers.id.length;
    [entityStart, linkOfEntity] = group(graph.links.entity, data.size);
    [paperStart] = group(graph.links.paper, graph.papers.id.length);
    relationOfEntity = new Map();
    graph.relations.head.forEach((head, row) => {
      for (const entity of [head, graph.relations.tail[row]]) {
        if (!relationOfEntity.has(entity)) relationOfEntity.set(entity, []);
        relationOfEntity.get(entity).push(row);
      }
    });
    graph.papers.id.forEach((id, n) => lookup.set(id, data.size + n));
    graph.papers.id.forEach((id, n) => lookup.set("paper:" + id, data.size + n));
    for (const [old, n] of Object.entries(graph.redirects)) lookup.set(old, n);
    graph.entities.id.forEach((id, n) => lookup.set(id, n));
    data.ready = true;
  };

  data.isPaper = (n) => n >= data.size;
  data.label = (n) => (data.isPaper(n) ? data.papers.label[n - data.size] : data.entities.label[n]) || data.id(n);
  data.type = (n) => (data.isPaper(n) ? "Paper" : data.types[data.entities.type[n]]);
  data.id = (n) => (data.isPaper(n) ? data.papers.id[n - data.size] : data.entities.id[n]);
  data.node = (id) => lookup.get(id);
  data.address = (n) => (data.isPaper(n) ? "paper:" : "") + data.id(n);

  /* The rows of `links` of a node, of a paper in the order of the entities' rank. */
  data.linksOf = (n) => {
    if (!data.isPaper(n)) return linkOfEntity.subarray(entityStart[n], entityStart[n + 1]);
    const from = paperStart[n - data.size];
    return Uint32Array.from({ length: paperStart[n - data.size + 1] - from }, (_, i) => from + i);
  };
  data.paperOf = (link) => data.size + data.links.paper[link];
  data.entityOf = (link) => data.links.entity[link];
  data.roleOf = (link) => data.roles[data.links.role[link]];
  data.relationsOf = (n) => relationOfEntity.get(n) || [];
  data.degree = (n) => (data.isPaper(n) ? data.linksOf(n).length : data.entities.papers[n]);

  /* The entities that share papers with one, most papers first, as [entity, papers]; `passes` says which links count. */
  data.together = (n, passes = () => true) => {
    const shared = new Map();
    for (const link of data.linksOf(n)) {
      if (!passes(link)) continue;
      for (const other of data.linksOf(data.paperOf(link))) {
        const entity = data.entityOf(other);
        if (entity !== n && passes(other)) shared.set(entity, (shared.get(entity) || 0) + 1);
      }
    }
    return [...shared].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  };

  /* The sentences and what else only the cards show, unpacked when first asked for. */
  let text;
  data.text = () => (text ||= kg.unpack("text"));
  return data;
})();
