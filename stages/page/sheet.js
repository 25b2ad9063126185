"use strict";
// Answers live in the page until they are saved; nothing is sent anywhere.
const data = JSON.parse(document.getElementById("data").textContent);
const sets = [...document.querySelectorAll("fieldset")];
const chosen = (set) => set.querySelector("input:checked")?.value ?? null;

function show() {
  const done = sets.filter((set) => chosen(set) !== null);
  sets.forEach((set) => set.classList.toggle("done", chosen(set) !== null));
  document.getElementById("progress").textContent = `${done.length} of ${sets.length}`;
}

function answer(set, value) {
  const input = [...set.querySelectorAll("input")].find((one) => one.value === value);
  if (input) input.checked = true;
  show();
}

document.addEventListener("change", show);

document.addEventListener("keydown", (event) => {
  const value = { y: "yes", n: "no", c: "cannot tell" }[event.key];
  if (!value || event.ctrlKey || event.metaKey || event.target.id === "annotator") return;
  const here = document.activeElement.closest?.("fieldset") ?? sets.find((set) => chosen(set) === null);
  if (!here) return;
  answer(here, value);
  const next = sets[sets.indexOf(here) + 1];
  next?.focus();
  next?.scrollIntoView({ block: "center" });
});

document.getElementById("save").addEventListener("click", () => {
  const answers = data.items.map((item, i) => ({ ...item, answer: chosen(sets[i]) }));
  const annotator = document.getElementById("annotator").value.trim() || "nobody";
  const text = JSON.stringify({ sheet: data.sheet, annotator, answers }, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `sheet-${annotator.replace(/[^\w-]+/g, "-")}.json`;
  link.click();
});

document.getElementById("load").addEventListener("change", async (event) => {
  const saved = JSON.parse(await event.target.files[0].text());
  if (saved.sheet !== data.sheet) {
    document.getElementById("progress").textContent = "These answers belong to another sheet.";
    return;
  }
  document.getElementById("annotator").value = saved.annotator;
  saved.answers.forEach((one, i) => one.answer && answer(sets[i], one.answer));
});
