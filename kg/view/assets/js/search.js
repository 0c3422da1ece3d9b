/* Search by name, alias or title, with suggestions: whole names first, then beginnings, then beginnings of words, then parts. */
kg.search = (() => {
  const search = {};
  const [input, list] = [kg.$("search"), kg.$("suggestions")];
  const most = 12;
  let names, active, found;

  const fold = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[\s\-_‐‑–—]+/g, " ").trim();

  const index = () => {
    if (names) return names;
    const { entities, papers } = kg.data;
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
      add(kg.data.size + i, papers.title[i] || papers.label[i] || id, null);
      if (papers.label[i] && papers.title[i] && papers.label[i] !== papers.title[i]) add(kg.data.size + i, papers.label[i], papers.label[i]);
    });
    return names;
  };

  /* The nodes whose names hold what is sought, best first, as {n, name}; `name` is the alias that it was found by. */
  search.find = (query, limit = most) => {
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
      if (!best.has(n) || best.get(n).rank > rank) best.set(n, { n, name, rank });
    }
    const { degree, isPaper } = kg.data;
    const order = (a, b) => a.rank - b.rank || isPaper(a.n) - isPaper(b.n) || degree(b.n) - degree(a.n) || a.n - b.n;
    return [...best.values()].sort(order).slice(0, limit);
  };

  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    found = [];
    active = -1;
  };

  const mark = (step) => {
    if (!found.length) return;
    active = (active + step + found.length) % found.length;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
    list.children[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", `suggestion-${active}`);
  };

  const take = (n) => {
    close();
    input.value = "";
    input.blur();
    kg.go(n);
  };

  const option = ({ n, name }, i) => {
    const { data } = kg;
    const about = data.isPaper(n) ? data.papers.year[n - data.size] || "paper" : kg.count(data.degree(n), "paper");
    return kg.el(
      "li",
      { role: "option", id: `suggestion-${i}`, "aria-selected": "false", onmousedown: (event) => event.preventDefault(), onclick: () => take(n) },
      kg.look.mark(data.type(n)),
      kg.el("span", { class: "found" }, kg.el("bdi", {}, kg.short(data.isPaper(n) ? data.papers.title[n - data.size] || data.label(n) : data.label(n), 90)), name ? kg.el("small", {}, kg.el("bdi", {}, kg.short(name, 60))) : null),
      kg.el("small", { class: "about" }, String(about)),
    );
  };

  const suggest = () => {
    if (!kg.data.ready) return;
    close();
    found = search.find(input.value);
    if (!input.value.trim()) return;
    list.append(...(found.length ? found.map(option) : [kg.el("li", { class: "none", role: "option", "aria-disabled": "true" }, "Nothing has this name")]));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(1);
  };

  close();
  input.addEventListener("input", suggest);
  input.addEventListener("focus", suggest);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(1);
    else if (event.key === "ArrowUp") mark(-1);
    else if (event.key === "Enter" && found[active]) take(found[active].n);
    else if (event.key === "Escape") (close(), input.blur());
    else return;
    event.preventDefault();
  });
  return search;
})();
