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

  const read = (figure) => {
    const table = figure.querySelector("table");
    const wanted = figure.dataset.columns.split(" ").map(Number);
    const heads = [...table.tHead.rows[0].cells];
    const body = [...table.tBodies[0].rows];
    const days = figure.dataset.plot === "bars";
    const x = body.map((row) =>
      days ? Date.parse(row.querySelector("time").dateTime) / 1000 : Number(row.cells[0].dataset.value),
    );
    const columns = wanted.map((n) => body.map((row) => Number(row.cells[n].dataset.value) / 100));
    return { days, data: [x, ...columns], names: wanted.map((n) => heads[n].textContent) };
  };

  const draw = (figure) => {
    drawn.get(figure)?.destroy();
    const place = figure.querySelector(".plot");
    const { days, data, names } = read(figure);
    const inks = ["first", "second"].map(colour);
    const axis = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
    const bars = (n) => uPlot.paths.bars({ size: [0.7 / names.length, 48], align: names.length > 1 ? (n ? 1 : -1) : 0 });
    drawn.set(figure, new uPlot({
      width: place.clientWidth,
      height: 220,
      cursor: { y: false, drag: { x: false, y: false } },
      legend: { show: true, live: true },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "UTC"),
      scales: {
        x: { time: days, range: days ? (_, low, high) => [low - 43200, high + 43200] : undefined },
        y: { range: (_, low, high) => (low >= 0 ? [0, high * 1.05 || 1] : [low * 1.05, Math.max(high * 1.05, 0)]) },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 32, space: 70, values: days ? (_, at) => at.map((one) => new Date(one * 1000).toISOString().slice(5, 10)) : (_, at) => at.map((one) => number.format(one)), incrs: days ? [86400, 2 * 86400, 7 * 86400, 14 * 86400, 28 * 86400, 91 * 86400, 364 * 86400] : undefined },
        { ...axis, size: 56, values: (_, at) => at.map((one) => number.format(one)) },
      ],
      series: [
        { label: figure.querySelector("thead th").textContent, value: (_, at) => (at == null ? "" : days ? new Date(at * 1000).toISOString().slice(0, 10) : String(at)) },
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
