// Draws the curves of a report. All charts of a page share the cursor's time.
"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.drawn = "0";
  window.addEventListener("error", (event) => {
    root.dataset.failed = event.message;
  });

  const colour = (name) =>
    getComputedStyle(root).getPropertyValue(name).trim();

  // Three significant digits, a fitting prefix.
  const scaled = (value, step, units) => {
    let place = 0;
    while (Math.abs(value) >= step && place < units.length - 1) {
      value /= step;
      ++place;
    }
    return `${Number(value.toPrecision(3))} ${units[place]}`;
  };
  const bytes = ["B", "KiB", "MiB", "GiB", "TiB"];
  const plain = (value) => `${Number(value.toPrecision(3))}`;
  const formats = {
    "cores": plain,
    "bytes": (value) => scaled(value, 1024, bytes),
    "bytes/s": (value) => `${scaled(value, 1024, bytes)}/s`,
    "share": (value) => `${plain(100 * value)} %`,
    "celsius": (value) => `${plain(value)} °C`,
    "watts": (value) => `${plain(value)} W`,
    "hertz": (value) => scaled(value, 1000, ["Hz", "kHz", "MHz", "GHz"]),
    "1/s": (value) => `${plain(value)}/s`,
    "seconds": (value) => value === 0 ? "0 s" :
      Math.abs(value) < 1e-3 ? `${plain(1e6 * value)} µs` :
      Math.abs(value) < 1 ? `${plain(1e3 * value)} ms` : `${plain(value)} s`,
  };
  const missing = (format) => (plot, value) =>
    value == null ? "–" : format(value);

  // Bytes look odd in steps of 1000.
  const binary = [];
  for (let i = 0; i < 50; ++i) binary.push(2 ** i);

  // `end` is the last moment of all charts that share the cursor.
  function optionsFor(chart, width, sync, end) {
    const format = formats[chart.unit] || plain;
    const axis = {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--grid"), width: 1 },
      ticks: { stroke: colour("--grid"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    const series = [{ label: "time", value: missing(formats.seconds) }];
    chart.series.forEach((curve, place) => series.push({
      label: curve.label,
      stroke: colour(`--curve-${place % 4}`),
      width: 2,
      value: missing(format),
      points: { show: chart.x.length < 40, size: 5 },
    }));
    if (chart.limit) {
      series.push({
        label: chart.limit.label,
        stroke: colour("--limit"),
        width: 1.5,
        dash: [6, 4],
        value: missing(format),
        points: { show: false },
      });
    }
    return {
      width, height: 210, series,
      scales: {
        x: { time: false, range: () => [0, end] },
        y: { range: (plot, low, high) => [0, high > 0 ? high * 1.08 : 1] },
      },
      axes: [
        { ...axis, values: (plot, ticks) => ticks.map((t) => `${plain(t)} s`) },
        {
          ...axis, size: 78, values: (plot, ticks) => ticks.map(format),
          ...(chart.unit.startsWith("bytes") ? { incrs: binary } : {}),
        },
      ],
      cursor: { sync: { key: sync.key }, drag: { x: false, y: false } },
    };
  }

  function dataFor(chart) {
    const data = [chart.x, ...chart.series.map((curve) => curve.values)];
    if (chart.limit) data.push(chart.x.map(() => chart.limit.value));
    return data;
  }

  // One application's charts of one of its runs.
  class Panel {
    constructor(place) {
      this.place = document.getElementById(`charts-${place}`);
      this.runs = JSON.parse(
        document.getElementById(`data-${place}`).textContent);
      this.choice = document.querySelector(`select[data-charts="${place}"]`);
      this.sync = uPlot.sync(`panel-${place}`);
      this.plots = [];
      if (this.choice) {
        this.choice.addEventListener("change", () => this.draw());
      }
    }

    draw() {
      for (const plot of this.plots) plot.destroy();
      this.plots = [];
      this.place.textContent = "";
      const run = this.choice ? Number(this.choice.value) : 0;
      const charts = this.runs[run] || [];
      const end = Math.max(...charts.map((chart) => chart.x.at(-1)));
      for (const chart of charts) {
        const box = document.createElement("div");
        box.className = "chart";
        const title = document.createElement("h4");
        title.textContent = chart.title;
        box.append(title);
        this.place.append(box);
        const plot = new uPlot(
          optionsFor(chart, box.clientWidth, this.sync, end), dataFor(chart),
          box);
        plot.root.setAttribute("role", "img");
        plot.root.setAttribute("aria-label", `${chart.title} over time`);
        this.plots.push(plot);
      }
    }

    fit() {
      for (const plot of this.plots) {
        const width = plot.root.parentElement.clientWidth;
        if (width > 0 && width !== plot.width) {
          plot.setSize({ width, height: 210 });
        }
      }
    }
  }

  const panels = [...document.querySelectorAll(".charts")].map(
    (element) => new Panel(element.id.slice("charts-".length)));
  const drawAll = () => {
    for (const panel of panels) panel.draw();
    root.dataset.drawn = panels.reduce((n, p) => n + p.plots.length, 0);
  };
  drawAll();
  window.addEventListener("resize", () => panels.forEach((p) => p.fit()));
  // Colours and widths are fixed when a chart is drawn.
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change", drawAll);
  matchMedia("print").addEventListener("change", drawAll);
})();
