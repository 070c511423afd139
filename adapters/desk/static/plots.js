// Plots of tables: what is drawn stands in the table below it, each cell with its `data-value`.
"use strict";

(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const number = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const drawn = new Map();

  // A colour as it is now, whatever the theme: `light-dark()` is resolved on an element alone.
  const colour = (name) => {
    const probe = document.createElement("i");
    probe.className = `ink-${name}`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };

  const DAY_MS = 86400000;
  const WEEK = 7; // as many days are shown at least: a bar alone says nothing of its width
  const LABELS = 8; // days that are named, at most
  const dayOf = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

  const read = (figure) => {
    const table = figure.querySelector("table");
    const wanted = figure.dataset.columns.split(" ").map(Number);
    const heads = [...table.tHead.rows[0].cells];
    const body = [...table.tBodies[0].rows];
    const days = figure.dataset.plot === "bars";
    const x = body.map((row) =>
      days ? Date.parse(row.querySelector("time").dateTime) / DAY_MS : Number(row.cells[0].dataset.value),
    );
    const columns = wanted.map((n) => body.map((row) => Number(row.cells[n].dataset.value) / 100));
    return { days, data: [x, ...columns], names: wanted.map((n) => heads[n].textContent) };
  };

  const draw = (figure) => {
    drawn.get(figure)?.destroy();
    const place = figure.querySelector(".plot");
    const { days, data, names } = read(figure);
    const upto = Math.max(...data[0]);
    const from = Math.min(...data[0], upto - WEEK + 1);
    const apart = Math.ceil((upto - from + 1) / LABELS);
    const labelled = Array.from({ length: Math.floor((upto - from) / apart) + 1 }, (_, n) => upto - n * apart).reverse();
    const inks = ["first", "second"].map(colour);
    const axis = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
    const bars = (n) => uPlot.paths.bars({ size: [0.7 / names.length, 48 / names.length], align: names.length > 1 ? (n ? 1 : -1) : 0 });
    drawn.set(figure, new uPlot({
      width: place.clientWidth,
      height: 220,
      cursor: { y: false, drag: { x: false, y: false } },
      legend: { show: true, live: true },
      scales: {
        x: { time: false, range: days ? () => [from - 0.6, upto + 0.6] : undefined },
        y: { range: (_, low, high) => (low >= 0 ? [0, high * 1.05 || 1] : [low * 1.05, Math.max(high * 1.05, 0)]) },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 32, space: 70, values: days ? (_, at) => at.map((one) => dayOf(one).slice(5)) : (_, at) => at.map((one) => number.format(one)), splits: days ? () => labelled : undefined },
        { ...axis, size: 56, values: (_, at) => at.map((one) => number.format(one)) },
      ],
      series: [
        { label: figure.querySelector("thead th").textContent, value: (_, at) => (at == null ? "" : days ? dayOf(at) : String(at)) },
        ...names.map((label, n) => ({
          label,
          stroke: inks[n],
          width: days ? 0 : 1.75,
          fill: days ? inks[n] : undefined,
          points: { show: false },
          paths: days ? bars(n) : uPlot.paths.stepped({ align: 1 }),
          value: (_, amount) => (amount == null ? "" : amount.toLocaleString("en", { minimumFractionDigits: 2 })),
        })),
      ],
    }, data, place));
  };

  const all = () => document.querySelectorAll("[data-plot]").forEach(draw);
  all();
  dark.addEventListener("change", all);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) {
      width = innerWidth;
      all();
    }
  });
})();
