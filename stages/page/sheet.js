"use strict";
// Answers live in the page and, as they are given, in the browser's own storage; nothing is sent anywhere. They are kept by sheet and by
// annotator, so that a second annotator at the same browser does not find, and follow, the first one's answers.
const data = JSON.parse(document.getElementById("data").textContent);
const sets = [...document.querySelectorAll("fieldset")];
const QUESTIONS = ["answer", "fluent"];
const chosen = (set, question) => set.querySelector(`input[data-question=${question}]:checked`)?.value ?? null;
const done = (set) => QUESTIONS.every((question) => chosen(set, question) !== null);
const annotator = document.getElementById("annotator");
const place = () => `crepe sheet ${data.sheet} ${annotator.value.trim()}`;

function answers() {
  return data.items.map((item, i) => ({ ...item, answer: chosen(sets[i], "answer"), fluent: chosen(sets[i], "fluent") }));
}

function show() {
  sets.forEach((set) => set.classList.toggle("done", done(set)));
  const named = annotator.value.trim() !== "";
  for (const element of [...sets, document.getElementById("save")]) element.disabled = !named;
  document.getElementById("progress").textContent = named ? `${sets.filter(done).length} of ${sets.length}` : "Give your name first.";
}

function keep() {
  show();
  // A browser may forbid storage to files; the button still saves.
  try {
    localStorage.setItem(place(), JSON.stringify({ answers: answers() }));
  } catch { /* nothing is lost but the comfort */ }
}

function answer(set, question, value) {
  const input = [...set.querySelectorAll(`input[data-question=${question}]`)].find((one) => one.value === value);
  if (input) input.checked = true;
}

function fill(saved) {
  document.querySelectorAll("input:checked").forEach((input) => { input.checked = false; });
  saved.answers.forEach((one, i) => QUESTIONS.forEach((question) => one[question] && answer(sets[i], question, one[question])));
  show();
}

// The answers that this browser has of the annotator whose name stands there.
function recall() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(place()));
  } catch { /* as above */ }
  fill(kept ?? { answers: [] });
}
recall();

document.addEventListener("change", (event) => {
  if (event.target === annotator) recall();
  else if (event.target.id !== "load") keep();
});

const KEYS = { y: ["answer", "yes"], n: ["answer", "no"], c: ["answer", "cannot tell"], g: ["fluent", "yes"], b: ["fluent", "no"] };
document.addEventListener("keydown", (event) => {
  const pressed = KEYS[event.key];
  if (!pressed || event.ctrlKey || event.metaKey || event.target === annotator || sets[0].disabled) return;
  const here = document.activeElement.closest?.("fieldset") ?? sets.find((set) => !done(set));
  if (!here) return;
  answer(here, ...pressed);
  keep();
  const next = done(here) ? sets[sets.indexOf(here) + 1] : here;
  next?.focus();
  next?.scrollIntoView({ block: "center" });
});

document.getElementById("save").addEventListener("click", () => {
  const name = annotator.value.trim();
  const text = JSON.stringify({ sheet: data.sheet, annotator: name, answers: answers() }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `sheet-${name.replace(/[^\w-]+/g, "-")}.json`;
  link.click();
});

document.getElementById("load").addEventListener("change", async (event) => {
  let saved = {};
  try {
    saved = JSON.parse(await event.target.files[0].text());
  } catch { /* it is told below */ }
  if (saved.sheet !== data.sheet) {
    document.getElementById("progress").textContent = "These answers belong to another sheet.";
    return;
  }
  annotator.value = saved.annotator;
  fill(saved);
  keep();
});
