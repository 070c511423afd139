// Steps through a hand without asking the server again. Each picture of the page says what is
// written in which place (adapters/desk/pictures.py); here it is written there, and nothing else
// is decided. Without this file the same steps are pages.
"use strict";

(() => {
  const replayer = document.getElementById("replayer");
  if (!replayer) return;

  const SECOND = 1000;
  const one = (selector) => replayer.querySelector(selector);
  const all = (selector) => document.querySelectorAll(selector);
  const byName = (attribute) => {
    const places = new Map();
    for (const place of all(`[${attribute}]`)) {
      const name = place.getAttribute(attribute);
      places.set(name, [...(places.get(name) ?? []), place]);
    }
    return places;
  };

  const changes = JSON.parse(one("[data-pictures]").textContent);
  const steps = changes.length;
  const pictures = [];
  for (const { of, classes, cards } of changes) {
    const before = pictures.at(-1) ?? { of: {}, classes: {}, cards: {} };
    pictures.push({
      of: { ...before.of, ...of },
      classes: { ...before.classes, ...classes },
      cards: { ...before.cards, ...cards },
    });
  }

  const texts = byName("data-of");
  const seats = byName("data-class");
  const cards = byName("data-card");
  const rows = byName("data-step");
  const arguments_ = byName("data-argues");
  const slider = one("#step");
  const play = one("[data-play]");
  const pace = one("[data-pace]");
  const live = one("[data-live]");
  const typed = one("[data-typed]");
  const course = one("[data-course]");
  const stage = one(".stage");

  const within = (step) => Math.min(Math.max(step, 1), steps);
  const row = (step) => rows.get(String(step))[0];
  const address = (step) => row(step).querySelector("a").href;

  let step = Number(slider.value);
  let timer = null;

  const draw = (picture) => {
    for (const [name, text] of Object.entries(picture.of)) {
      for (const place of texts.get(name) ?? []) {
        if (place.textContent !== text) place.textContent = text;
      }
    }
    for (const [seat, names] of Object.entries(picture.classes)) {
      for (const place of seats.get(seat)) {
        place.setAttribute("class", place.localName === "g" ? `seat ${names}` : names);
      }
    }
    for (const [seat, held] of Object.entries(picture.cards)) {
      held.forEach((card, at) => {
        for (const place of cards.get(`${seat}.${at}`)) {
          if (card) place.setAttribute("href", `#card-${card}`);
          else place.removeAttribute("href");
        }
      });
    }
  };

  const go = (wanted) => {
    const before = step;
    step = within(wanted);
    draw(pictures[step - 1]);
    row(before).removeAttribute("aria-current");
    row(step).setAttribute("aria-current", "step");
    arguments_.get(String(before))[0].hidden = true;
    arguments_.get(String(step))[0].hidden = false;
    slider.value = step;
    slider.setAttribute("aria-valuetext", slider.dataset.valuetext.replace("{step}", step));
    one("[data-go=previous]").href = address(within(step - 1));
    one("[data-go=next]").href = address(within(step + 1));
    history.replaceState(null, "", address(step));
    live.textContent = pictures[step - 1].of.told;
    show(row(step));
    keep();
  };

  // What switches language or theme stays at this step.
  const keep = () => {
    for (const link of all('.choices a[href^="?"]')) {
      const switched = new URLSearchParams(link.getAttribute("href"));
      switched.set("step", step);
      link.setAttribute("href", `?${switched}`);
    }
  };

  // Within the list alone: the page itself stays where its reader has it.
  const show = (item) => {
    const above = item.offsetTop - course.scrollTop;
    if (above < 0 || above + item.offsetHeight > course.clientHeight) {
      course.scrollTop = item.offsetTop - course.clientHeight / 3;
    }
  };

  const pause = () => {
    clearInterval(timer);
    timer = null;
    tell(false);
  };
  const start = () => {
    if (step === steps) go(1);
    timer = setInterval(() => {
      go(step + 1);
      if (step === steps) pause();
    }, Number(pace.value) * SECOND);
    tell(true);
  };
  const tell = (playing) => {
    const label = playing ? play.dataset.pauseLabel : play.dataset.playLabel;
    play.dataset.playing = playing;
    play.setAttribute("aria-label", label);
    play.title = label;
  };
  const toggle = () => (timer === null ? start() : pause());
  const jump = (wanted) => {
    pause();
    go(wanted);
  };

  const moves = {
    first: () => 1,
    previous: () => step - 1,
    next: () => step + 1,
    last: () => steps,
  };
  const keys = {
    ArrowLeft: () => jump(step - 1),
    ArrowRight: () => jump(step + 1),
    Home: () => jump(1),
    End: () => jump(steps),
    " ": toggle,
  };

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest("[data-go], [data-to], [data-step] > a");
    if (!link) return;
    event.preventDefault();
    if (link.dataset.go) jump(moves[link.dataset.go]());
    else jump(Number(link.dataset.to ?? link.parentElement.dataset.step));
    if (link.dataset.to) stage.focus();
  });
  play.addEventListener("click", toggle);
  pace.addEventListener("change", () => timer !== null && (pause(), start()));
  slider.addEventListener("input", () => jump(Number(slider.value)));

  // Keys are for whoever is at the table, or nowhere; a number is only for whoever is at the table.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    const inside = replayer.contains(at);
    if (!inside && at !== document.body) return;
    if (at.matches("input, select, textarea")) return;
    if (event.key === " " && at.matches("a, button, summary")) return;
    if (inside && /^[0-9]$/.test(event.key)) {
      typed.value = `${typed.value}${event.key}`.slice(-4);
      event.preventDefault();
    } else if (event.key === "Enter" && typed.value) {
      jump(Number(typed.value));
      typed.value = "";
      event.preventDefault();
    } else if (event.key === "Escape") {
      typed.value = "";
    } else if (keys[event.key]) {
      typed.value = "";
      keys[event.key]();
      event.preventDefault();
    }
  });

  for (const hidden of all("[data-with-script], [data-play]")) hidden.hidden = false;
  for (const shown of all("[data-without-script]")) shown.hidden = true;
  tell(false);
  show(row(step));
})();
