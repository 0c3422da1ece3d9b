/* The pieces that cards are made of. */
kg.parts = (() => {
  const parts = { few: 6 };

  parts.section = (title, number, ...children) =>
    kg.el("section", {}, kg.el("h3", {}, title, number === null ? "" : kg.el("span", { class: "number" }, number.toLocaleString("en"))), ...children);

  /* A list that shows its first items, and more on demand. */
  parts.list = (items, draw, first = parts.few) => {
    const ul = kg.el("ul", {}, items.slice(0, first).map(draw));
    if (items.length <= first) return ul;
    let shown = first;
    const more = kg.el("button", { type: "button", class: "plain more", onclick: () => {
      const next = items.slice(shown, shown + 20);
      ul.append(...next.map(draw));
      ul.children[shown].querySelector("button, a")?.focus();
      shown += next.length;
      label();
    } });
    const label = () => {
      const left = items.length - shown;
      more.textContent = left > 20 ? `20 more of ${left.toLocaleString("en")}` : `${left} more`;
      more.hidden = shown >= items.length;
    };
    label();
    return kg.el("div", {}, ul, more);
  };

  parts.go = (n, most = 90, name = null) =>
    kg.el("button", { type: "button", class: "go", onclick: () => kg.go(n) }, kg.look.mark(kg.data.type(n)), kg.el("bdi", {}, kg.short(name || kg.data.label(n), most)));

  /* A sentence with the mention marked; offsets count code points. A long one is cut around the mention. */
  parts.quote = (sentence, from, to) => {
    const points = [...sentence];
    if (from === null || from === undefined || to > points.length) return kg.el("q", { dir: "auto" }, kg.short(sentence, 400));
    const left = from > 240 ? Math.min(from, points.indexOf(" ", from - 240) + 1) : 0;
    const right = to + 240 < points.length ? Math.max(to, points.lastIndexOf(" ", to + 240)) : points.length;
    const part = (a, b) => points.slice(a, b).join("");
    return kg.el("q", { dir: "auto" }, left ? "… " : "", part(left, from), kg.el("mark", {}, kg.short(part(from, to), 240)), part(to, right), right < points.length ? " …" : "");
  };

  parts.sure = (percent) => kg.el("span", { class: "sure", title: "Confidence" }, `${percent} %`);

  /* The sentence of a row, when it has one. */
  parts.evidence = ({ sentences, links }, link) => {
    const sentence = links.sentence[link] ?? null;
    return sentence === null ? "" : parts.quote(sentences.text[sentence], links.from[link], links.to[link]);
  };
  parts.statement = ({ sentences, relations }, row) => {
    const sentence = relations.sentence[row] ?? null;
    return sentence === null ? "" : parts.quote(sentences.text[sentence]);
  };

  parts.paperName = (n) => kg.data.papers.title[n - kg.data.size] || kg.data.label(n);
  parts.year = (n) => {
    const year = kg.data.papers.year[n - kg.data.size];
    return year === null ? "" : kg.el("span", { class: "about" }, String(year));
  };
  parts.spoken = (kind) => kind.replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase());

  /* A line for a paper with what ties it, and one for the entity at the other end. */
  parts.paperLine = (n, percent, quote) =>
    kg.el("li", {}, kg.el("div", { class: "line" }, parts.go(n, 140, parts.paperName(n)), parts.year(n), parts.sure(percent)), quote);
  parts.linkToPaper = (text) => (link) => parts.paperLine(kg.data.paperOf(link), kg.data.links.confidence[link], parts.evidence(text, link));
  parts.linkToEntity = (text) => (link) =>
    kg.el("li", {}, kg.el("div", { class: "line" }, parts.go(kg.data.entityOf(link)), parts.sure(kg.data.links.confidence[link])), parts.evidence(text, link));

  parts.chips = (title, names) => {
    if (!names.length) return "";
    const chip = (name) => kg.el("li", {}, kg.el("bdi", {}, kg.short(name, 80)));
    const ul = kg.el("ul", { class: "chips", "aria-label": title }, names.slice(0, 10).map(chip));
    if (names.length > 10) {
      const more = kg.el("button", { type: "button", class: "plain", onclick: () => (more.parentElement.remove(), ul.append(...names.slice(10).map(chip))) }, `+${names.length - 10}`);
      ul.append(kg.el("li", { class: "rest" }, more));
    }
    return ul;
  };

  parts.close = () =>
    kg.el("button", { type: "button", class: "close", "aria-label": "Close the card", title: "Close (Esc)", onclick: () => kg.go(null) }, "×");
  return parts;
})();
