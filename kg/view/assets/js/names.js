/* Search among the names that the file holds: whole names first, then beginnings, then beginnings of words, then parts; labels before aliases. */
(() => {
  const { data } = kg;
  let names;

  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[\s\-_‐‑–—]+/g, " ").trim();

  const index = () => {
    if (names) return names;
    const { entities, papers } = data;
    names = [];
    const add = (n, whole, name) => {
      const text = fold(whole.slice(0, 300));
      names.push({ n, text, tight: text.replaceAll(" ", ""), name });
    };
    entities.id.forEach((_, n) => {
      add(n, entities.label[n], null);
      entities.aliases[n].forEach((alias) => add(n, alias, alias));
    });
    papers.id.forEach((id, i) => {
      add(data.size + i, papers.title[i] || papers.label[i] || id, null);
      if (papers.label[i] && papers.title[i] && papers.label[i] !== papers.title[i]) add(data.size + i, papers.label[i], papers.label[i]);
    });
    return names;
  };

  /* The nodes whose names hold what is sought, best first, as {n, name}; `name` is the alias that it was found by. */
  data.find = async (query, limit) => {
    const sought = fold(query);
    if (!sought) return [];
    const joined = sought.replaceAll(" ", "");
    const best = new Map();
    for (const { n, text, tight, name } of index()) {
      const at = text.indexOf(sought);
      let rank;
      if (at === 0) rank = text.length === sought.length ? 0 : 1;
      else if (at > 0) rank = text[at - 1] === " " ? 2 : 3;
      else if (tight.startsWith(joined)) rank = 1;
      else continue;
      rank = 2 * rank + (name === null ? 0 : 1);
      if (!best.has(n) || best.get(n).rank > rank) best.set(n, { n, name, rank });
    }
    const order = (a, b) => a.rank - b.rank || data.isPaper(a.n) - data.isPaper(b.n) || data.degree(b.n) - data.degree(a.n) || a.n - b.n;
    return [...best.values()].sort(order).slice(0, limit);
  };
})();
