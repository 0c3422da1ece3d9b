/* What is filtered and what is selected. */
kg.state = (() => {
  const state = {
    hiddenTypes: new Set(),
    hiddenRoles: new Set(),
    hiddenTies: new Set(),
    years: null,
    confidence: 0,
    selected: null,
    shown: null,
  };

  state.yearOf = (paper) => kg.data.papers.year[paper];

  state.yearPasses = (paper) => {
    if (!state.years) return true;
    const year = state.yearOf(paper);
    return year !== null && year >= state.years[0] && year <= state.years[1];
  };

  state.linkPasses = (link) => {
    const { links, roles } = kg.data;
    return (
      links.confidence[link] >= state.confidence && !state.hiddenRoles.has(roles[links.role[link]]) && state.yearPasses(links.paper[link])
    );
  };

  state.isFiltered = () => state.hiddenTypes.size + state.hiddenRoles.size + state.confidence > 0 || state.years !== null;

  /* Which nodes pass: those of a shown type with a link that passes; a paper without any links passes by its year. */
  state.refresh = () => {
    const { data } = kg;
    const linked = new Uint8Array(data.total);
    for (let link = 0; link < data.links.paper.length; link++) {
      if (!state.linkPasses(link)) continue;
      linked[data.entityOf(link)] = 1;
      linked[data.paperOf(link)] = 1;
    }
    const typeShown = data.types.map((type) => !state.hiddenTypes.has(type));
    for (let n = 0; n < data.size; n++) if (!typeShown[data.entities.type[n]]) linked[n] = 0;
    const papersShown = !state.hiddenTypes.has("Paper");
    for (let n = data.size; n < data.total; n++) {
      if (!papersShown) linked[n] = 0;
      else if (!linked[n] && !data.linksOf(n).length && state.yearPasses(n - data.size)) linked[n] = 1;
    }
    state.shown = linked;
    kg.tell("filtered");
  };

  state.isShown = (n) => !state.shown || state.shown[n] === 1;

  state.select = (n) => {
    if (state.selected === n) return;
    state.selected = n;
    kg.tell("selected", n);
  };

  state.clear = () => {
    state.hiddenTypes.clear();
    state.hiddenRoles.clear();
    state.years = null;
    state.confidence = 0;
  };
  return state;
})();
