/* What the page knows, as columns: entity n is node n, paper n is node `size` + n; links, relations and results are numbered rows. Where it comes
   from is the business of embedded.js (all of it lies in the file) or served.js (parts of it, fetched as they are needed). */
kg.data = (() => {
  const data = { ready: false, size: 0, total: 0 };

  data.isPaper = (n) => n >= data.size;
  data.label = (n) => (data.isPaper(n) ? data.papers.label[n - data.size] : data.entities.label[n]) || data.id(n);
  data.type = (n) => (data.isPaper(n) ? "Paper" : data.types[data.entities.type[n]]);
  data.id = (n) => (data.isPaper(n) ? data.papers.id[n - data.size] : data.entities.id[n]);
  data.address = (n) => (data.isPaper(n) ? "paper:" : "") + data.id(n);
  data.degree = (n) => (data.isPaper(n) ? data.linksOf(n).length : data.entities.papers[n]);

  data.paperOf = (link) => data.size + data.links.paper[link];
  data.entityOf = (link) => data.links.entity[link];
  data.roleOf = (link) => data.roles[data.links.role[link]];

  /* The other end of a stated relation. */
  data.otherEnd = (row, n) => (data.relations.head[row] === n ? data.relations.tail[row] : data.relations.head[row]);

  /* The families of an entity and what is of its family. */
  data.kin = (n) => (data.isPaper(n) ? [] : [...data.entities.parents[n], ...data.entities.variants[n]]);
  return data;
})();
