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

  /* Ask anew which nodes pass; of several questions under way, as while a slider moves, the last counts. */
  let turn = 0;
  state.refresh = async () => {
    const mine = ++turn;
    const passes = await kg.data.passing();
    if (mine !== turn) return;
    state.shown = passes;
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
