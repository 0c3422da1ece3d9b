/* The data of a page that a server answers: it opens with what is drawn and fetches the rest as it is needed. Rows come with their numbers in the whole
   graph, so that what is fetched twice is the same row; each table's columns are filled where something is known. */
(() => {
  const { data, facts } = kg;
  const text = { sentences: {}, links: {}, relations: {}, results: {}, papers: {} };
  const known = { links: new Map(), relations: new Map(), results: new Map() };
  const ids = new Map();
  const pairs = new Map();
  let views = new Map();
  const met = new Set();

  const note = (table, n, row) => {
    if (!known[table].has(n)) known[table].set(n, new Set());
    known[table].get(n).add(row);
  };
  const rowsOf = (table, n) => [...(known[table].get(n) || [])].sort((a, b) => a - b);

  /* Fill the columns of one table with the rows that came. */
  const fill = (table, { n: numbers, ...columns }) => {
    for (const [name, values] of Object.entries(columns)) {
      table[name] ||= {};
      values.forEach((value, i) => (table[name][numbers ? numbers[i] : i] = value));
    }
    return numbers || [...(Object.values(columns)[0] || []).keys()];
  };

  const merge = ({ graph, text: more }) => {
    fill(data.entities, graph.entities).forEach((n) => ids.set(data.entities.id[n], n));
    fill(data.papers, graph.papers).forEach((n) => ids.set("paper:" + data.papers.id[n], data.size + n));
    for (const row of fill(data.links, graph.links)) [data.entityOf(row), data.paperOf(row)].forEach((n) => note("links", n, row));
    for (const row of fill(data.relations, graph.relations)) [data.relations.head[row], data.relations.tail[row]].forEach((n) => note("relations", n, row));
    if (!more) return;
    ["sentences", "links", "relations", "papers"].forEach((name) => fill(text[name], more[name]));
    for (const row of fill(text.results, more.results)) {
      note("results", data.size + text.results.paper[row], row);
      ["subject", "metric", "dataset", "comparator"].forEach((role) => note("results", text.results[role][row], row));
    }
  };

  /* Ask the server; what it answers is merged before anything else of the answer is used. */
  const ask = async (what, parameters = {}) => {
    let answer;
    try {
      const response = await fetch(`graph/${what}?${new URLSearchParams(parameters)}`);
      if (!response.ok) throw new Error(await response.text());
      answer = await response.json();
    } catch (error) {
      kg.say(`The server does not answer: ${error.message}`);
      throw error;
    }
    if (answer.graph) merge(answer);
    return answer;
  };

  const filters = () => {
    const { hiddenTypes, hiddenRoles, years, confidence } = kg.state;
    return { types: [...hiddenTypes], roles: [...hiddenRoles], years: years || "", confidence };
  };

  data.open = async () => {
    const graph = await kg.unpack("graph");
    Object.assign(data, { types: graph.types, roles: graph.roles, kinds: graph.kinds, entities: {}, papers: {}, links: {}, relations: {} });
    data.size = facts.whole.entities;
    data.total = data.size + facts.whole.papers;
    merge({ graph });
    data.ready = true;
  };

  data.node = (id) => ids.get(id);
  data.seek = async (id) => ids.get(id) ?? (await ask("seek", { id })).node ?? undefined;

  /* What draws some nodes: their columns, the links of papers, the relations of entities and what these occur with. */
  data.meet = async (nodes) => {
    const fresh = nodes.filter((n) => !met.has(n));
    if (!fresh.length) return;
    const { together } = await ask("meet", { nodes: fresh });
    together.forEach(([n, list]) => pairs.set(n, list));
    fresh.forEach((n) => met.add(n));
  };

  /* What a card of a node shows under the present filters; asked again when they changed meanwhile. */
  data.reach = async (n) => {
    while (!views.has(n)) {
      const asked = views;
      const [view] = await Promise.all([ask("reach", { node: n, ...filters() }), data.meet([n])]);
      asked.set(n, view);
    }
  };

  data.linksOf = (n) => rowsOf("links", n);
  data.relationsOf = (n) => rowsOf("relations", n);
  data.resultsOf = (n) => ({ rows: rowsOf("results", n), total: views.get(n).tally.results });
  data.tally = (n) => views.get(n).tally;
  data.together = (n, filtered = false) => (filtered ? views.get(n)?.together : pairs.get(n)) || [];
  data.text = async () => text;

  data.shared = async (node, other) => (await ask("shared", { node, other })).links;

  /* The server's answer is a bit a node, in base64. */
  data.passing = async () => {
    views = new Map();
    const passes = new Uint8Array(data.total).fill(1);
    if (!kg.state.isFiltered()) return passes;
    const bits = atob((await ask("passing", filters())).passes);
    for (let n = 0; n < data.total; n++) passes[n] = (bits.charCodeAt(n >> 3) >> (7 - (n & 7))) & 1;
    return passes;
  };

  data.strongest = async (count) => (await ask("strongest", { count, ...filters() })).nodes;
  data.find = async (q, limit) => (await ask("search", { q, limit })).hits;
})();
