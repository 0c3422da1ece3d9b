/* The data of a page that holds all of it. What served.js has to fetch is here already; the names are the same. */
(() => {
  const { data } = kg;
  const lookup = new Map();
  const relationOfEntity = new Map();
  let linkOfEntity, entityStart, paperStart;

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

  data.open = async () => {
    const graph = await kg.unpack("graph");
    Object.assign(data, graph);
    data.size = graph.entities.id.length;
    data.total = data.size + graph.papers.id.length;
    [entityStart, linkOfEntity] = group(graph.links.entity, data.size);
    [paperStart] = group(graph.links.paper, graph.papers.id.length);
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

  data.node = (id) => lookup.get(id);
  data.seek = async (id) => lookup.get(id);

  /* What draws some nodes, and what shows one: all of it is here. */
  data.meet = async () => {};
  data.reach = async () => {};

  /* The rows of `links` of a node, of a paper in the order of the entities' rank. */
  data.linksOf = (n) => {
    if (!data.isPaper(n)) return linkOfEntity.subarray(entityStart[n], entityStart[n + 1]);
    const from = paperStart[n - data.size];
    return Uint32Array.from({ length: paperStart[n - data.size + 1] - from }, (_, i) => from + i);
  };
  data.relationsOf = (n) => relationOfEntity.get(n) || [];

  /* How many links a node has, how many of each role pass the filters, and how many relations it stands in. */
  data.tally = (n) => {
    const links = data.linksOf(n);
    const roles = data.roles.map(() => 0);
    for (const link of links) if (kg.state.linkPasses(link)) roles[data.links.role[link]]++;
    return { links: links.length, roles, relations: data.relationsOf(n).length };
  };

  /* The entities that share papers with one, most papers first, as [entity, papers]; of all links, or of those that pass the filters. */
  data.together = (n, filtered = false) => {
    const passes = filtered ? kg.state.linkPasses : () => true;
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

  /* The links of an entity in the papers that name another as well. */
  data.shared = async (n, other) => {
    const papers = new Set([...data.linksOf(other)].map(data.paperOf));
    return [...data.linksOf(n)].filter((link) => papers.has(data.paperOf(link)));
  };

  /* Which nodes pass the filters: those of a shown type with a link that passes. What has no links stands by its year, a family by its variants. */
  data.passing = async () => {
    const { state } = kg;
    const passes = new Uint8Array(data.total);
    for (let link = 0; link < data.links.paper.length; link++) {
      if (!state.linkPasses(link)) continue;
      passes[data.entityOf(link)] = 1;
      passes[data.paperOf(link)] = 1;
    }
    const typeShown = data.types.map((type) => !state.hiddenTypes.has(type));
    for (let n = 0; n < data.size; n++) if (!typeShown[data.entities.type[n]]) passes[n] = 0;
    const papersShown = !state.hiddenTypes.has("Paper");
    for (let n = data.size; n < data.total; n++) {
      if (!papersShown) passes[n] = 0;
      else if (!passes[n] && !data.linksOf(n).length && state.yearPasses(n - data.size)) passes[n] = 1;
    }
    const families = [];
    for (let n = data.size - 1; n >= 0 && !data.entities.papers[n]; n--) if (typeShown[data.entities.type[n]]) families.push(n);
    for (let more = true; more; ) {
      const found = families.filter((n) => !passes[n] && data.entities.variants[n].some((variant) => passes[variant]));
      found.forEach((n) => (passes[n] = 1));
      more = found.length > 0;
    }
    return passes;
  };

  /* The entities with most links that pass the filters. */
  data.strongest = async (count) => {
    const { state } = kg;
    const weight = new Map();
    for (let link = 0; link < data.links.paper.length; link++) {
      const n = data.entityOf(link);
      if (state.isShown(n) && state.linkPasses(link)) weight.set(n, (weight.get(n) || 0) + 1);
    }
    return [...weight].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count).map(([n]) => n);
  };

  /* The sentences and what else only the cards show, unpacked when first asked for. */
  let text;
  data.text = () => (text ||= kg.unpack("text"));

  data.resultsOf = (n, { results }) => {
    const columns = data.isPaper(n) ? [results.paper] : [results.subject, results.metric, results.dataset, results.comparator];
    const sought = data.isPaper(n) ? n - data.size : n;
    const rows = [...results.paper.keys()].filter((row) => columns.some((column) => column[row] === sought));
    return { rows, total: rows.length };
  };
})();
