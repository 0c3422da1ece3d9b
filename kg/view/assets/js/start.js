"use strict";
/* The one namespace of the page, what the page says of itself, and the builder of elements: text never becomes markup. */
const kg = {};

kg.json = (id) => JSON.parse(document.getElementById(id).textContent);
kg.facts = kg.json("facts");
kg.$ = (id) => document.getElementById(id);

kg.el = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/* Only addresses of the web become links. */
kg.link = (url, text) =>
  /^https?:\/\//i.test(url) ? kg.el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text) : kg.el("span", {}, text);

/* A name on one line, of bounded length, without the characters that reorder what stands beside them. */
kg.short = (text, most = 60) => {
  // eslint-disable-next-line no-control-regex -- control characters are what is taken out
  const line = text.slice(0, 4 * most).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/g, " ").trim();
  const points = [...line];
  return points.length <= most ? line : points.slice(0, most - 1).join("") + "…";
};

kg.capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

kg.count = (number, one, many = one + "s") => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

let quiet;
kg.say = (text) => {
  const place = kg.$("say");
  place.textContent = text;
  place.classList.add("on");
  clearTimeout(quiet);
  quiet = setTimeout(() => place.classList.remove("on"), 3500);
};

kg.still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
kg.phone = () => window.matchMedia("(max-width: 720px)").matches;

/* A small bus: the parts of the page know what happened, not each other. */
const heard = new Map();
kg.on = (name, act) => heard.set(name, [...(heard.get(name) || []), act]);
kg.tell = (name, value) => (heard.get(name) || []).forEach((act) => act(value));
