/* The room between the panels: how much of the map's edges they cover, and what is left, in pixels. */
kg.room = () => {
  const whole = kg.$("map").getBoundingClientRect();
  const sides = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const [id, side] of [["filters", "left"], ["card", "right"], ["table", "bottom"]]) {
    const panel = kg.$(id);
    if (panel.hidden) continue;
    const box = panel.getBoundingClientRect();
    if (kg.phone()) sides.bottom = id === "filters" ? sides.bottom : Math.max(sides.bottom, whole.bottom - box.top);
    else if (side === "left") sides.left = box.right - whole.left;
    else if (side === "right") sides.right = whole.right - box.left;
    else sides.bottom = whole.bottom - box.top;
  }
  if (kg.phone()) sides.bottom = Math.max(sides.bottom, 56);
  return { ...sides, width: whole.width - sides.left - sides.right, height: whole.height - sides.top - sides.bottom };
};
