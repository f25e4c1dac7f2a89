// Draws the charts of a page: curves over time, which share the cursor's time,
// and the plots of sweeps and series.
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

  const curveColour = (place) => colour(`--curve-${place % 8}`);
  const axisLook = () => ({
    stroke: colour("--quiet"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { stroke: colour("--grid"), width: 1 },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
  });
  const cursorFor = (sync) =>
    ({ sync: { key: sync.key }, drag: { x: false, y: false } });

  // `end` is the last moment of all charts that share the cursor.
  function timeOptions(chart, sync, end) {
    const format = formats[chart.unit] || plain;
    const axis = axisLook();
    const series = [{ label: "time", value: missing(formats.seconds) }];
    chart.series.forEach((curve, place) => series.push({
      label: curve.label,
      stroke: curveColour(place),
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
      height: 210, series,
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
      cursor: cursorFor(sync),
    };
  }

  // Intervals below the curves: a band over neighbours, a line at each point
  // unless there are too many.
  function drawBands(plot, curve, place, chart) {
    const { ctx } = plot;
    const x = (at) => plot.valToPos(at, "x", true);
    // A logarithmic axis has no zero.
    const y = (at) =>
      plot.valToPos(Math.max(at, chart.y_axis.begin), "y", true);
    ctx.fillStyle = ctx.strokeStyle = curveColour(place);
    ctx.lineWidth = devicePixelRatio;
    for (const band of curve.bands) {
      ctx.globalAlpha = .15;
      ctx.beginPath();
      for (const point of band) ctx.lineTo(x(point.x), y(point.high));
      for (const point of [...band].reverse()) {
        ctx.lineTo(x(point.x), y(point.low));
      }
      ctx.fill();
      if (curve.dense) continue;
      ctx.globalAlpha = .5;
      for (const point of band) {
        ctx.beginPath();
        ctx.moveTo(x(point.x), y(point.low));
        ctx.lineTo(x(point.x), y(point.high));
        ctx.stroke();
      }
    }
  }

  // A cross for each limit at which runs failed. It continues the curve: it has
  // its colour and the height of the nearest point, which a dotted line connects.
  // Without points it is at the bottom.
  function drawFailures(plot, curve, place, chart) {
    const { ctx, bbox } = plot;
    const size = 4 * devicePixelRatio;
    const worked = chart.x.map((x, i) => [x, curve.values[i]]).filter(
      (point) => point[1] != null);
    ctx.strokeStyle = curveColour(place);
    for (const failed of curve.failures) {
      const x = plot.valToPos(failed, "x", true);
      let y = bbox.top + bbox.height - 2 * size;
      if (worked.length > 0) {
        const near = worked.reduce((best, point) =>
          Math.abs(point[0] - failed) < Math.abs(best[0] - failed) ?
            point : best);
        ctx.lineWidth = 1.5 * devicePixelRatio;
        ctx.setLineDash([size / 2, size]);
        ctx.beginPath();
        y = plot.valToPos(near[1], "y", true);
        ctx.moveTo(plot.valToPos(near[0], "x", true), y);
        ctx.lineTo(x, y);
        ctx.stroke();
        ctx.setLineDash([]);
      }
      ctx.lineWidth = 2.5 * devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.moveTo(x - size, y + size);
      ctx.lineTo(x + size, y - size);
      ctx.stroke();
    }
  }

  // For every curve that the legend has not switched off.
  const withEach = (chart, draw) => (plot) => {
    plot.ctx.save();
    chart.series.forEach((curve, place) => {
      if (plot.series[place + 1].show) draw(plot, curve, place, chart);
    });
    plot.ctx.restore();
  };

  // A plot of a sweep: its axes and texts come with it.
  function plotOptions(chart, sync) {
    const axis = (told) => ({
      ...axisLook(), label: told.title, labelSize: 20,
      splits: () => told.ticks.map((tick) => tick.at),
      values: () => told.ticks.map((tick) => tick.text),
      filter: (plot, splits) => splits,  // keeps every tick of a log axis
    });
    // Several points of a curve may stand at one x.
    const textAt = (texts) => (plot, value, place, index) => {
      if (index == null) return "–";
      const here = texts.filter(
        (text, i) => text != null && chart.x[i] === chart.x[index]);
      return [...new Set(here)].join(", ") || "–";
    };
    const series = [
      { label: chart.x_axis.title, value: textAt(chart.x_texts) },
      ...chart.series.map((curve, place) => ({
        label: curve.label,
        stroke: curveColour(place),
        alpha: curve.aside ? .35 : 1,
        width: curve.dense ? 1.5 : 2,
        spanGaps: true,
        value: textAt(curve.texts),
        points: {
          show: !curve.dense, size: 7, fill: curveColour(place),
        },
        ...(curve.aside ? { paths: () => null } : {}),
      })),
    ];
    // A hair beyond the end: uPlot leaves out all but the first of several points
    // that stand exactly there.
    const end = chart.x_axis.end * (1 + 1e-9);
    return {
      height: 300, series,
      scales: {
        x: { time: false, range: () => [0, end] },
        y: {
          range: () => [chart.y_axis.begin, chart.y_axis.end],
          distr: chart.y_axis.log ? 3 : 1,
        },
      },
      axes: [axis(chart.x_axis), { ...axis(chart.y_axis), size: 70 }],
      padding: [12, 30, 0, 0],
      cursor: cursorFor(sync),
      hooks: {
        drawAxes: [withEach(chart, drawBands)],
        draw: [withEach(chart, drawFailures)],
      },
    };
  }

  function dataFor(chart) {
    const data = [chart.x, ...chart.series.map((curve) => curve.values)];
    if (chart.limit) data.push(chart.x.map(() => chart.limit.value));
    return data;
  }

  // One application's charts of one of its runs, or the plot of a figure.
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
        this.place.append(box);
        let options;
        if (chart.x_axis) {  // of a sweep; the page has its title
          options = plotOptions(chart, this.sync);
        } else {
          const title = document.createElement("h4");
          title.textContent = chart.title;
          box.append(title);
          options = timeOptions(chart, this.sync, end);
        }
        const plot = new uPlot(
          { ...options, width: box.clientWidth }, dataFor(chart), box);
        plot.root.setAttribute("role", "img");
        plot.root.setAttribute(
          "aria-label", chart.label || `${chart.title} over time`);
        this.plots.push(plot);
      }
    }

    fit() {
      for (const plot of this.plots) {
        const width = plot.root.parentElement.clientWidth;
        if (width > 0 && width !== plot.width) {
          plot.setSize({ width, height: plot.height });
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
