// A verification: started by the form, told by the server as it goes, ended by whoever leaves.
"use strict";

(() => {
  const form = document.getElementById("verification");
  const run = document.getElementById("run");
  const stop = form.querySelector("[data-stop]");
  const start = form.querySelector("[type=submit]");
  const bar = run.querySelector("progress");
  const verdict = run.querySelector("[data-verdict]");
  const found = run.querySelector("[data-found]");
  const rows = found.querySelector("tbody");
  const number = new Intl.NumberFormat("en");
  let source = null;

  const end = (text) => {
    source?.close();
    source = null;
    start.disabled = false;
    stop.hidden = true;
    if (text) {
      const said = document.createElement("p");
      said.className = "notice";
      said.textContent = text;
      verdict.replaceChildren(said);
      bar.hidden = true;
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    end("");
    start.disabled = true;
    stop.hidden = run.hidden = bar.hidden = false;
    found.hidden = true;
    rows.replaceChildren();
    verdict.replaceChildren();
    bar.removeAttribute("value");
    const address = new URL(form.dataset.progress, location.href);
    address.searchParams.set("hand", form.elements.hand.value);
    source = new EventSource(address);
    source.addEventListener("progress", ({ data }) => {
      const told = JSON.parse(data);
      for (const figure of run.querySelectorAll("[data-figure]")) {
        figure.textContent = number.format(told[figure.dataset.figure]);
      }
      if (told.of) {
        bar.max = told.of;
        bar.value = Math.min(told.events, told.of);
      }
    });
    source.addEventListener("found", ({ data }) => {
      found.hidden = false;
      rows.insertAdjacentHTML("beforeend", data); // a row as the server escaped it
    });
    source.addEventListener("done", ({ data }) => {
      bar.max = bar.value = 1;
      verdict.innerHTML = data;
      end("");
    });
    source.addEventListener("problem", ({ data }) => {
      bar.hidden = true;
      verdict.innerHTML = data;
      end("");
    });
    source.onerror = () => end(run.dataset.broken); // never begun again by itself
  });
  stop.addEventListener("click", () => end(run.dataset.stopped));
})();
