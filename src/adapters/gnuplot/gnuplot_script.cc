#include "adapters/gnuplot/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "support/text.h"

namespace mete {
namespace {

// The colours of the web page in light mode.
constexpr std::array<const char*, 8> kColours = {
    "#0b6bcb", "#c2571a", "#2a8a57", "#8a4fbf",
    "#0f8f96", "#b0398a", "#8a6d0b", "#5a6472"};
// Filled marks of gnuplot; with the colours, two ways to distinguish curves.
constexpr std::array<int, 5> kMarks = {7, 5, 9, 13, 11};
constexpr size_t kFontSize = 14;
constexpr size_t kLongestName = 18;   // characters below a bar
constexpr size_t kLongestLabel = 30;  // characters next to the plot
// that fit next to each other below bars
constexpr double kBarCharacters = 110;
constexpr size_t kRoomyBars = 14;  // whose values fit next to each other

const char* ColourFor(size_t place) {
  return kColours[place % kColours.size()];
}
int MarkFor(size_t place) { return kMarks[place % kMarks.size()]; }

std::string LabelText(const std::string& text) {
  return GnuplotText(ShortenMiddle(text, kLongestLabel));
}

// Axis labels are format patterns, so a literal % is doubled.
std::string TicText(const std::string& text) {
  std::string doubled;
  for (char c : ShortenMiddle(text, kLongestName)) {
    doubled += c;
    if (c == '%') doubled += c;
  }
  return GnuplotText(doubled);
}

std::string Tics(const char* axis, const AxisScale& scale,
                 const PlotAxis& written) {
  std::vector<std::string> tics;
  for (double value : scale.Tics()) {
    tics.push_back(fmt::format("{} {}", TicText(written.format(value)), value));
  }
  return fmt::format("set {}tics ({}) noenhanced nomirror\n", axis,
                     fmt::join(tics, ", "));
}

// 12 by 6 inches: at 96 points per inch for SVG, or 150 pixels per inch with
// everything larger to match.
std::string Terminal(PictureFormat format) {
  if (format == PictureFormat::kSvg) {
    return fmt::format(
        "set terminal svg size 1152,576 font \"Helvetica,{}\" "
        "background \"#ffffff\" noenhanced\n",
        kFontSize);
  }
  return fmt::format(
      "set terminal pngcairo size 1800,900 font \"Sans,{}\" fontscale 1.25 "
      "linewidth 1.6 pointscale 1.6 background \"#ffffff\" noenhanced\n",
      kFontSize);
}

std::string Head(const Drawing& drawing, PictureFormat format) {
  return "set encoding utf8\n" + Terminal(format) + "set title " +
         GnuplotText(drawing.title) +
         fmt::format(" noenhanced font \",{}\"\n", kFontSize + 3) +
         "set border 3 lc rgb \"#5d6670\"\n"
         "set grid lc rgb \"#dfe2e6\" lt 1 lw 0.7\n"
         "set tics textcolor rgb \"#1d2126\" scale 0.5\n";
}

// Named data blocks and the plots that use them.
class Layers {
 public:
  // `how` is gnuplot syntax, after "plot $NAME using …".
  void Add(const std::string& numbers, const std::string& how) {
    if (numbers.empty()) return;
    std::string name = fmt::format("$d{}", count_++);
    blocks_ += name + " << EOD\n" + numbers + "EOD\n";
    plots_ += (plots_.empty() ? "plot " : ", ") + name + " using " + how;
  }
  // Adds only an entry to the key.
  void AddToKey(const std::string& how) {
    plots_ += (plots_.empty() ? "plot " : ", ") + std::string("NaN ") + how;
  }
  // Without data it is an empty plot, not an error.
  std::string Script() const {
    return blocks_ + (plots_.empty() ? "plot NaN notitle" : plots_) + "\n";
  }

 private:
  std::string blocks_;
  std::string plots_;
  size_t count_ = 0;
};

// Blank lines separate points that must not be connected.
std::string BandNumbers(const PlotSeries& series, const AxisScale& y) {
  std::string numbers;
  for (const PlotPoint& point : series.points) {
    if (point.low && point.high) {
      numbers += fmt::format("{} {} {}\n", point.x,
                             std::max(y.begin, *point.low), *point.high);
    } else if (!numbers.empty()) {
      numbers += "\n";
    }
  }
  return numbers;
}

std::string SpreadNumbers(const PlotSeries& series, const AxisScale& y) {
  std::string numbers;
  for (const PlotPoint& point : series.points) {
    if (!point.low || !point.high) continue;
    numbers += fmt::format("{} {} {} {}\n", point.x, point.y,
                           std::max(y.begin, *point.low), *point.high);
  }
  return numbers;
}

std::string PointNumbers(const PlotSeries& series) {
  std::string numbers;
  for (const PlotPoint& point : series.points) {
    numbers += fmt::format("{} {}\n", point.x, point.y);
  }
  return numbers;
}

void AddSeries(const PlotSeries& series, size_t place, const AxisScale& y,
               Layers& layers) {
  const char* colour = ColourFor(place);
  std::string title = "title " + LabelText(series.label);
  if (series.aside) {
    layers.Add(PointNumbers(series),
               "1:2 with points pt 6 ps 0.9 lc rgb \"#9aa4ae\" " + title);
    return;
  }
  layers.Add(BandNumbers(series, y),
             fmt::format("1:2:3 with filledcurves fs transparent solid 0.16 "
                         "noborder lc rgb \"{}\" notitle",
                         colour));
  layers.Add(SpreadNumbers(series, y),
             fmt::format("1:2:3:4 with yerrorbars ps 0 lw 1 lc rgb \"{}\" "
                         "notitle",
                         colour));
  std::string line =
      fmt::format("pt {} ps 0.9 lw 2 lc rgb \"{}\" ", MarkFor(place), colour);
  std::string points = PointNumbers(series);
  if (points.empty()) layers.AddToKey("with linespoints " + line + title);
  layers.Add(points, "1:2 with linespoints " + line + title);
}

// The nearest point of the curve; null if there is none.
const PlotPoint* Nearest(const PlotSeries& series, double x) {
  const PlotPoint* nearest = nullptr;
  for (const PlotPoint& point : series.points) {
    if (nearest == nullptr ||
        std::abs(point.x - x) < std::abs(nearest->x - x)) {
      nearest = &point;
    }
  }
  return nearest;
}

// A cross in the colour of the curve that continues it: at the height of the
// nearest point, which a dotted line connects. Without points, at `bottom`.
void AddFailures(const PlotSeries& series, size_t place, double bottom,
                 Layers& layers) {
  std::string failed;
  std::string links;
  for (double at : series.failures) {
    const PlotPoint* nearest = Nearest(series, at);
    const double y = nearest == nullptr ? bottom : nearest->y;
    failed += fmt::format("{} {}\n", at, y);
    if (nearest == nullptr) continue;
    links += fmt::format("{} {}\n{} {}\n\n", nearest->x, y, at, y);
  }
  layers.Add(links, fmt::format("1:2 with lines dt 3 lw 1.5 lc rgb \"{}\" "
                                "notitle",
                                ColourFor(place)));
  layers.Add(failed, fmt::format("1:2 with points pt 2 ps 1.4 lw 2.5 lc rgb "
                                 "\"{}\" notitle",
                                 ColourFor(place)));
}

// The key is to the right of the plot, which keeps most of the width however
// long the names are; if there are many, the font is smaller.
std::string KeyBeside(size_t entries) {
  constexpr size_t kFitting = 22;
  size_t percent = std::clamp<size_t>(100 * kFitting / entries, 45, 100);
  return fmt::format(
      "set rmargin at screen 0.72\n"
      "set key at screen 0.735,0.93 left top vertical Left reverse noenhanced "
      "samplen 1.5 spacing 1.2 maxrows {} font \",{}\"\n",
      entries, kFontSize * percent / 100);
}

std::string MakeScript(const Plot& plot) {
  AxisScale x = ScaleOfX(plot);
  AxisScale y = ScaleOfY(plot);
  std::string script = fmt::format("set xrange [0:{}]\nset yrange [{}:{}]\n",
                                   x.end, y.begin, y.end);
  if (y.log) script += "set logscale y\n";
  script += "set xlabel " + GnuplotText(plot.x.title) + " noenhanced\n";
  script += "set ylabel " + GnuplotText(plot.y.title) + " noenhanced\n";
  script += Tics("x", x, plot.x) + Tics("y", y, plot.y);
  script += KeyBeside(plot.series.size() + 1);
  Layers layers;
  for (size_t i = 0; i < plot.series.size(); ++i) {
    AddSeries(plot.series[i], i, y, layers);
  }
  bool failures = false;
  for (size_t i = 0; i < plot.series.size(); ++i) {
    // Above all curves, and just above the axis, where marks are not clipped.
    AddFailures(plot.series[i], i, y.At(0.02), layers);
    failures = failures || !plot.series[i].failures.empty();
  }
  if (failures) {
    layers.AddToKey(
        "with points pt 2 ps 1.4 lw 2.5 lc rgb \"#5d6670\" title \"failed\"");
  }
  return script + layers.Script();
}

// Bars are at whole numbers, with a gap of one between groups.
struct PlacedBars {
  std::vector<std::string> numbers;  // by kind
  std::string values;                // written above
  std::vector<std::string> tics;
  double end = 0;
};

// Values are rotated if they do not fit next to each other.
PlacedBars PlaceBars(const BarChart& chart,
                     const std::vector<std::string>& kinds, bool roomy) {
  const char* how =
      roomy ? "center offset 0,0.6" : "left rotate by 90 offset 0,0.4";
  PlacedBars placed{.numbers = std::vector<std::string>(kinds.size())};
  for (const BarGroup& group : chart.groups) {
    double middle =
        placed.end + (static_cast<double>(group.bars.size()) + 1) / 2;
    placed.tics.push_back(fmt::format("{} {}", TicText(group.label), middle));
    for (const Bar& bar : group.bars) {
      placed.end += 1;
      auto kind = std::ranges::find(kinds, bar.label) - kinds.begin();
      placed.numbers[static_cast<size_t>(kind)] +=
          fmt::format("{} {}\n", placed.end, bar.value);
      placed.values += fmt::format("set label {} at {},{} {} noenhanced\n",
                                   GnuplotText(ValueText(bar, chart.axis)),
                                   placed.end, bar.value, how);
    }
    placed.end += 1;
  }
  return placed;
}

// True if every name is at most as wide as its bars.
bool NamesFit(const BarChart& chart, double places) {
  return std::ranges::all_of(chart.groups, [&](const BarGroup& group) {
    double share = (static_cast<double>(group.bars.size()) + 1) / places;
    return static_cast<double>(DisplayWidth(group.label)) <
           share * kBarCharacters;
  });
}

std::string MakeScript(const BarChart& chart) {
  std::vector<std::string> kinds = ListKinds(chart);
  size_t bars = 0;
  for (const BarGroup& group : chart.groups) bars += group.bars.size();
  bool roomy = bars <= kRoomyBars;
  PlacedBars placed = PlaceBars(chart, kinds, roomy);
  AxisScale y = ScaleFor(chart);
  std::string script = fmt::format(
      "set xrange [0:{}]\nset yrange [0:{}]\n"
      "set boxwidth 0.86\nset style fill solid 0.9 noborder\n"
      "set grid noxtics\n",
      std::max(placed.end, 1.0), y.end * (roomy ? 1.06 : 1.2));
  script += "set ylabel " + GnuplotText(chart.axis.title) + " noenhanced\n";
  script += fmt::format("set xtics ({}) noenhanced nomirror scale 0",
                        fmt::join(placed.tics, ", "));
  // With rotated names, the first one needs room to its left.
  if (!NamesFit(chart, placed.end)) {
    script += " rotate by 20 right\nset lmargin at screen 0.12";
  }
  script += "\n" + Tics("y", y, chart.axis) + placed.values;
  script +=
      "set key outside bottom center horizontal Left reverse noenhanced "
      "samplen 2 spacing 1.2\n";
  Layers layers;
  for (size_t i = 0; i < kinds.size(); ++i) {
    std::string title =
        kinds[i].empty() ? "notitle" : "title " + LabelText(kinds[i]);
    layers.Add(placed.numbers[i], fmt::format("1:2 with boxes lc rgb \"{}\" {}",
                                              ColourFor(i), title));
  }
  return script + layers.Script();
}

}  // namespace

std::string GnuplotText(std::string_view text) {
  constexpr std::string_view kHarmless = " .,:_-+/()";
  std::string quoted = "\"";
  bool numbered = false;  // the last character was an octal escape
  while (!text.empty()) {
    size_t length = CharacterLength(text);
    auto code = static_cast<unsigned char>(text[0]);
    // A digit would be read as part of the escape before it.
    bool joined = numbered && std::isdigit(code) != 0;
    bool plain = length > 1 || std::isalnum(code) != 0 ||
                 kHarmless.find(text[0]) != std::string_view::npos;
    numbered = false;
    if (length == 0) {
      quoted += "\uFFFD";
    } else if (plain && !joined) {
      quoted += text.substr(0, length);
    } else if (code < 0x20 || code == 0x7F) {
      quoted += ' ';
    } else {
      quoted += fmt::format("\\{:03o}", code);
      numbered = true;
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return quoted + "\"";
}

std::string GnuplotScript(const Drawing& drawing, PictureFormat format) {
  return Head(drawing, format) +
         std::visit([](const auto& content) { return MakeScript(content); },
                    drawing.content);
}

}  // namespace mete
