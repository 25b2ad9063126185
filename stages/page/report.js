"use strict";
// The gallery. Queries come as rows, with the truth first among the captions; crops come in chunks that are read when one of their images
// is near the view. Captions are strangers' text and reach the page only as text nodes.
(() => {
  const PAGE = 24;
  const gallery = document.getElementById("gallery");
  const form = gallery.querySelector("form");
  const list = gallery.querySelector(".cards");
  const count = gallery.querySelector(".count");
  const pages = gallery.querySelector(".pages");
  const { columns, rows, chunk } = JSON.parse(document.getElementById("queries").textContent);
  const queries = rows.map((row, index) => Object.assign({ index }, Object.fromEntries(columns.map((name, i) => [name, row[i]]))));
  const FILTERS = ["protocol", "suite", "type", "split", "n", "answer"].filter((name) => form.elements[name]);
  const STATE = [...FILTERS, "order", "words"];
  const format = (number) => number.toLocaleString("en");
  let shown = queries;
  let page = 0;

  // Images: a chunk is parsed once, and only when it is needed; while the file still loads its chunk may not be there yet.
  const parsed = new Map();
  const waiting = new Set();
  function crop(index) {
    const which = Math.floor(index / chunk);
    if (!parsed.has(which)) {
      const element = document.querySelectorAll("script.crops")[which];
      // A chunk is whole once something stands behind it, or the document has been read to its end.
      if (!element || (document.readyState === "loading" && !element.nextSibling)) return null;
      parsed.set(which, JSON.parse(element.textContent));
    }
    return parsed.get(which)[index % chunk];
  }
  function load(image) {
    const address = crop(Number(image.dataset.crop));
    if (address === null) waiting.add(image);
    else if (address) image.src = "data:image/jpeg;base64," + address;
    else image.replaceWith(element("p", "facts", "No picture."));
  }
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      load(entry.target);
    }
  }, { rootMargin: "600px" });
  document.addEventListener("DOMContentLoaded", () => {
    waiting.forEach(load);
    waiting.clear();
  });

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // `caption` as pieces { text, change }: `change` is "" for what it has in common with `truth`, "new" for words that the truth has not
  // there, and "gone" (without text) for a place where words of the truth are missing. By the longest common subsequence of words.
  // A period or a capital letter is no difference, and where there are new words the places of missing ones go without saying.
  function pieces(caption, truth) {
    const words = caption.split(" ");
    const [a, b] = [caption, truth].map((text) => text.toLowerCase().split(" ").map((word) => word.replace(/[.,;!?]+$/, "")));
    if (a.length * b.length > 40000) return [{ text: caption, change: "" }];
    const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    const found = [];
    const add = (word, change) => {
      const last = found[found.length - 1];
      if (last && last.change === change) last.text += (last.text && word ? " " : "") + word;
      else if (change === "gone" && last && last.change === "new") return;
      else if (change === "new" && last && last.change === "gone") Object.assign(last, { text: word, change });
      else found.push({ text: word, change });
    };
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
      if (i < a.length && j < b.length && a[i] === b[j]) { add(words[i++], ""); j++; }
      else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) add(words[i++], "new");
      else { add("", "gone"); j++; }
    }
    return found.some(({ change }) => change === "new") ? found.filter(({ change }) => change !== "gone") : found;
  }
  function captionText(caption, truth) {
    const text = element("bdi", caption.length > 400 ? "long" : "");
    let first = true;
    for (const { text: words, change } of caption === truth ? [{ text: caption, change: "" }] : pieces(caption, truth)) {
      if (words && !first) text.append(" ");
      text.append(change ? element("mark", change, words) : words);
      first = first && !words;
    }
    return text;
  }
  function captionItem(query, i, best) {
    const truth = i === 0, chosen = query.scores[i] === best;
    const item = element("li", [truth ? "truth" : "", chosen ? "chosen" : ""].join(" ").trim());
    const sign = element("span", "sign", truth ? "✓" : chosen ? "✗" : "");
    sign.setAttribute("aria-hidden", "true");
    const said = element("span", "unseen", [truth ? "True caption" : "Negative", chosen ? ", chosen by the model" : "", ": "].join(""));
    const score = element("span", "score", query.scores[i] === null ? "" : query.scores[i].toFixed(3));
    const body = element("span");
    body.append(said, captionText(query.captions[i], query.captions[0]));
    item.append(sign, body, score);
    return item;
  }
  function card(query) {
    const item = element("li"), article = element("article", "card " + query.answer);
    const image = element("img");
    image.alt = "Crop of image " + query.image + ", truth: " + query.captions[0].slice(0, 200);
    image.width = 320;
    image.height = 192;
    image.dataset.crop = query.crop;
    const facts = element("p", "facts");
    const verdict = { right: "right", wrong: "wrong", tie: "tie" }[query.answer];
    facts.append(element("span", "verdict", verdict), element("span", "tag", query.type));
    if (query.protocol) facts.append(element("span", "tag", query.protocol));
    if (query.split) facts.append(element("span", "tag", query.split));
    if (query.n !== null) facts.append(element("span", "tag", query.n + " atoms"));
    facts.append(element("span", "tag", "rank " + query.rank + " of " + query.captions.length));
    const captions = element("ol", "captions");
    const order = query.captions.map((_, i) => i).sort((a, b) => query.scores[b] - query.scores[a] || a - b);
    const best = Math.max(...query.scores);
    captions.append(...order.map((i) => captionItem(query, i, best)));
    article.setAttribute("aria-label", query.type + ", " + verdict + ": " + query.captions[0].slice(0, 120));
    article.append(image, facts, captions);
    item.append(article);
    near.observe(image);
    return item;
  }

  // How far the best negative stands above the truth.
  const lead = (query) => Math.max(...query.scores.slice(1)) - query.scores[0];
  const ORDERS = { wrong: (a, b) => lead(b) - lead(a) || a.index - b.index, close: (a, b) => Math.abs(lead(a)) - Math.abs(lead(b)) || a.index - b.index };

  function select() {
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = FILTERS.map((name) => [name, form.elements[name].value]).filter(([, value]) => value);
    shown = queries.filter((query) => wanted.every(([name, value]) => String(query[name]) === value)
      && (!words.length || query.captions.some((caption) => words.every((word) => caption.toLowerCase().includes(word)))));
    const order = ORDERS[form.elements.order.value];
    if (order) shown.sort(order);
    page = 0;
    show();
  }
  function show() {
    const last = Math.max(0, Math.ceil(shown.length / PAGE) - 1);
    near.disconnect();
    waiting.clear();
    list.replaceChildren(...shown.slice(page * PAGE, (page + 1) * PAGE).map(card));
    const right = shown.filter((query) => query.answer === "right").length;
    // Of queries that were chosen by the model's answer, how many it answered right says nothing.
    const share = form.elements.answer?.value ? "" : `, ${format(right)} of them answered correctly (${(100 * right / shown.length).toFixed(1)} %)`;
    count.textContent = shown.length
      ? `${format(shown.length)} of ${format(queries.length)} queries${share}`
      : "No query fits. Clear a filter to see more.";
    pages.hidden = last === 0;
    pages.querySelector(".page").textContent = `Page ${format(page + 1)} of ${format(last + 1)}`;
    pages.querySelector("[name=previous]").disabled = page === 0;
    pages.querySelector("[name=next]").disabled = page === last;
  }
  function turn(by) {
    page += by;
    show();
    document.getElementById("gallery-heading").focus({ preventScroll: true });
    form.scrollIntoView();
  }

  // The filters stand in the address, so that a view can be linked to: #gallery?type=HN-Swap&answer=wrong
  function remember() {
    const state = new URLSearchParams(STATE.map((name) => [name, form.elements[name].value]).filter(([, value]) => value));
    history.replaceState(null, "", state.size ? "#gallery?" + state : "#gallery");
  }
  function recall() {
    const [place, query] = location.hash.slice(1).split("?");
    // What a link leads to may be folded.
    const part = place && document.getElementById(place);
    if (part instanceof HTMLDetailsElement) part.open = true;
    if (place !== "gallery" || query === undefined) return false;
    const state = new URLSearchParams(query);
    for (const name of STATE) form.elements[name].value = state.get(name) || "";
    select();
    gallery.scrollIntoView();
    document.getElementById("gallery-heading").focus({ preventScroll: true });
    return true;
  }

  let typing = 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => { select(); remember(); });
  form.addEventListener("input", (event) => {
    if (event.target.name !== "words") return;
    clearTimeout(typing);
    typing = setTimeout(() => { select(); remember(); }, 150);
  });
  form.addEventListener("reset", () => setTimeout(() => { select(); remember(); }));
  pages.querySelector("[name=previous]").addEventListener("click", () => turn(-1));
  pages.querySelector("[name=next]").addEventListener("click", () => turn(1));
  window.addEventListener("hashchange", recall);
  if (!recall()) show();
  requestAnimationFrame(() => setTimeout(() => performance.mark("gallery")));
})();
