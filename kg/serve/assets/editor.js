"use strict";
const at = (id) => document.getElementById(id);
let prefixes = {};

function shorten(iri) {
  let best = iri, length = 0;
  for (const [name, space] of Object.entries(prefixes)) {
    if (iri.startsWith(space) && space.length > length) { best = name + ":" + iri.slice(space.length); length = space.length; }
  }
  return best;
}

function cell(term) {
  const td = document.createElement("td");
  if (!term) return td;
  if (term.type === "uri" && /^https?:/.test(term.value)) {
    const a = document.createElement("a");
    const own = ["e", "p"].map((name) => prefixes[name]).find((space) => space && term.value.startsWith(space));
    a.href = own ? "/" + (own === prefixes.e ? "entity/" : "paper/") + term.value.slice(own.length) : term.value;
    a.textContent = shorten(term.value);
    td.append(a);
  } else {
    td.textContent = typeof term.value === "string" ? term.value : JSON.stringify(term.value);
  }
  return td;
}

function table(found) {
  const out = document.createElement("table");
  const head = out.createTHead().insertRow();
  for (const name of found.head.vars) { const th = document.createElement("th"); th.textContent = name; head.append(th); }
  const body = out.createTBody();
  for (const row of found.results.bindings) {
    const tr = body.insertRow();
    for (const name of found.head.vars) tr.append(cell(row[name]));
  }
  return out;
}

async function ask(accept) {
  return fetch("/sparql", { method: "POST", headers: { "Content-Type": "application/sparql-query", "Accept": accept }, body: at("query").value });
}

function clear(message) {
  at("status").textContent = message; at("status").className = "";
  at("text").hidden = true; at("text").textContent = ""; at("answer").replaceChildren();
}

async function run() {
  clear("Running …");
  history.replaceState(null, "", "#" + encodeURIComponent(at("query").value));
  at("link").href = location.href;
  const begun = performance.now();
  try {
    const response = await ask("application/sparql-results+json, text/turtle;q=0.9");
    const body = await response.text();
    if (!response.ok) { at("status").className = "wrong"; at("status").textContent = "Not answered"; at("text").hidden = false; at("text").textContent = body; return; }
    const took = ((performance.now() - begun) / 1000).toFixed(2) + " s";
    if (!response.headers.get("Content-Type").includes("json")) { at("text").hidden = false; at("text").textContent = body; at("status").textContent = took; return; }
    const found = JSON.parse(body);
    if ("boolean" in found) { at("status").textContent = (found.boolean ? "Yes" : "No") + ", " + took; return; }
    at("answer").append(table(found));
    at("status").textContent = found.results.bindings.length + " rows, " + took;
  } catch (error) { at("status").className = "wrong"; at("status").textContent = "The server does not answer: " + error.message; }
}

async function save() {
  const response = await ask("text/csv");
  const body = await response.blob();
  const a = document.createElement("a");
  a.href = URL.createObjectURL(body); a.download = "answer.csv"; a.click();
  URL.revokeObjectURL(a.href);
}

async function begin() {
  const settings = await (await fetch("/settings.json")).json();
  prefixes = settings.prefixes;
  at("prefixes").textContent = Object.entries(prefixes).map(([name, space]) => "PREFIX " + name + ": <" + space + ">").join("\n");
  for (const query of settings.queries) { const option = document.createElement("option"); option.value = query.name; option.textContent = query.name + ": " + query.about; at("named").append(option); }
  const show = () => { const query = settings.queries.find((q) => q.name === at("named").value); at("about").textContent = query.about; at("query").value = query.text; };
  at("named").addEventListener("change", show);
  at("named").value = "top"; show();
  if (location.hash.length > 1) { at("query").value = decodeURIComponent(location.hash.slice(1)); await run(); }
}

at("run").addEventListener("click", run);
at("csv").addEventListener("click", save);
at("query").addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); } });
begin();
