/* The search field and its suggestions. */
(() => {
  const [input, list] = [kg.$("search"), kg.$("suggestions")];
  const most = 12;
  let active, found;

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

  /* What was typed last is what counts, whichever answer comes first. */
  const suggest = async () => {
    if (!kg.data.ready) return;
    const query = input.value;
    const hits = query.trim() ? await kg.data.find(query, most) : [];
    if (input.value !== query || document.activeElement !== input) return;
    close();
    if (!query.trim()) return;
    found = hits;
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
})();
