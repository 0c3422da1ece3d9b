/* Colours and shapes. The hues are those of Okabe and Ito, which the colour-blind tell apart; each type has a shape of its own as well. */
kg.look = (() => {
  const look = {
    types: {
      Method: { shape: "dot", colour: "#009e73" },
      Task: { shape: "diamond", colour: "#e69f00" },
      Model: { shape: "hexagon", colour: "#d55e00" },
      Dataset: { shape: "square", colour: "#0072b2" },
      Metric: { shape: "triangle", colour: "#cc79a7" },
      Paper: { shape: "dot", colour: "#626b7a" },
    },
    roles: {
      proposed: { width: 2.6, alpha: 0.85 },
      evaluated: { width: 1.6, alpha: 0.6 },
      compared: { width: 1.4, alpha: 0.5, dashes: [7, 4] },
      used: { width: 1.2, alpha: 0.5 },
      mentioned: { width: 1, alpha: 0.4, dashes: [2, 4] },
    },
  };
  const dark = { Dataset: "#56a8e0", Method: "#22b98e", Model: "#e8753a", Task: "#f0b73f", Metric: "#d993bb", Paper: "#7d8798" };

  const choose = () => {
    const styles = getComputedStyle(document.documentElement);
    for (const name of ["ground", "ink", "soft", "faint", "edge", "relation", "accent", "region"]) look[name] = styles.getPropertyValue("--" + name).trim();
    look.isDark = styles.getPropertyValue("--dark").trim() === "1";
    look.font = getComputedStyle(document.body).fontFamily;
  };

  look.colour = (type) => (look.isDark && dark[type]) || look.types[type].colour;

  look.setTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("kg-theme", theme);
    } catch {
      /* a page without an origin keeps no settings */
    }
    choose();
    kg.tell("theme");
  };

  let kept;
  try {
    kept = localStorage.getItem("kg-theme");
  } catch {
    kept = null;
  }
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    choose();
    kg.tell("theme");
  });
  choose();

  const outlines = {
    dot: '<circle cx="8" cy="8" r="6.2"/>',
    square: '<rect x="2.4" y="2.4" width="11.2" height="11.2" rx=".8"/>',
    diamond: '<path d="M8 1.2 14.8 8 8 14.8 1.2 8z"/>',
    triangle: '<path d="M8 1.8 15 14H1z"/>',
    hexagon: '<path d="M4.4 1.8h7.2L15.2 8l-3.6 6.2H4.4L.8 8z"/>',
  };

  /* The mark of a type as it stands in lists. The markup is the constant above, never text of the data. */
  look.mark = (type) => {
    const mark = kg.el("span", { class: `mark type-${type}`, "aria-hidden": "true" });
    const svg = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${outlines[look.types[type].shape]}</svg>`,
      "image/svg+xml",
    );
    mark.append(document.importNode(svg.documentElement, true));
    return mark;
  };

  /* A colour as its hexadecimal form with an opacity. */
  look.fade = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, "0");
  return look;
})();
