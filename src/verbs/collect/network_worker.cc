#include "collect/network_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <numeric>
#include <ostream>

#include "measure/timed_series.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr double kBlockSeconds = 0.05;
constexpr size_t kFewestBlocks = 6;
// Limit, in multiples of the requested time, for reaching the minimum number of
// inferences.
constexpr double kPatience = 4;
// Checking the blocks after every inference would take longer than a short
// inference.
constexpr Seconds kLookEvery{0.05};

// Pictures for inputs that take images, random values for the others.
Result<InputFeeds> FeedsFor(const EngineSession& session,
                            const LoadOrder& order, ImageReader& images) {
  InputRequest request{.sizes = {.batch = order.batch},
                       .seed = order.seed,
                       .given = order.inputs,
                       .picture_folder = order.pictures};
  for (const std::string& shape : order.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.sizes.shapes.push_back(std::move(given));
  }
  Result<InputFeeds> feeds = MakeInputs(session.inputs(), request, images);
  bool retry = !feeds.ok() && !order.pictures.empty() &&
               feeds.error().code() == ErrorCode::kInvalidInput;
  if (!retry) return feeds;
  request.picture_folder.clear();
  return MakeInputs(session.inputs(), request, images);
}

}  // namespace

std::vector<double> BlockMeans(const std::vector<double>& samples) {
  std::vector<double> means;
  double sum = 0;
  size_t count = 0;
  for (double sample : samples) {
    sum += sample;
    ++count;
    if (sum < kBlockSeconds) continue;
    means.push_back(sum / static_cast<double>(count));
    sum = 0;
    count = 0;
  }
  return means;
}

bool MeanIsKnown(const std::vector<double>& samples, double precision) {
  std::vector<double> means = BlockMeans(samples);
  if (means.size() < kFewestBlocks) return false;
  auto n = static_cast<double>(means.size());
  double mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
  double squares = 0;
  for (double value : means) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1) / n) <= precision * mean;
}

std::string NetworkWorker::Answer(const std::string& line) {
  Result<Json> done = Do(line);
  return ToLine(done.ok() ? *done : ErrorReply(done.error()));
}

void NetworkWorker::Serve(std::istream& input, std::ostream& output) {
  std::string line;
  while (std::getline(input, line)) {
    output << Answer(line) + "\n" << std::flush;
  }
}

Result<Json> NetworkWorker::Do(const std::string& line) {
  ASSIGN_OR_RETURN(Json order, ParseJson(line));
  if (!order.is_object()) return Corrupt("an order must be an object");
  const auto act = order.find("do");
  if (act != order.end() && *act == "load") {
    ASSIGN_OR_RETURN(LoadOrder load, LoadOrderFrom(order));
    ASSIGN_OR_RETURN(LoadedNetwork loaded, Load(load));
    return ToJson(loaded);
  }
  if (act != order.end() && *act == "run") {
    ASSIGN_OR_RETURN(RunOrder run, RunOrderFrom(order));
    ASSIGN_OR_RETURN(TimedRun timed, Run(run));
    return ToJson(timed);
  }
  return InvalidInput("expected an order to load or to run");
}

Result<LoadedNetwork> NetworkWorker::Load(const LoadOrder& order) {
  ASSIGN_OR_RETURN(Engine * engine, parts_.engine());
  session_.reset();
  parts_.host.ResetPeakMemory();
  std::chrono::nanoseconds before = parts_.clock.Now();
  ASSIGN_OR_RETURN(session_, engine->Load({.path = order.network,
                                           .threads = order.threads}));
  LoadedNetwork loaded;
  loaded.seconds = Seconds(parts_.clock.Now() - before).count();
  ASSIGN_OR_RETURN(feeds_, FeedsFor(*session_, order, parts_.images));
  loaded.input_shapes = feeds_.shapes;
  loaded.input_origin = feeds_.origin;
  loaded.engine = engine->version();
  return loaded;
}

Result<TimedRun> NetworkWorker::Run(const RunOrder& order) {
  if (session_ == nullptr) return InvalidInput("run: no network is loaded");
  TimedSeries series(
      {.session = *session_, .feeds = feeds_, .clock = parts_.clock},
      static_cast<size_t>(std::min<uint64_t>(order.at_most, 1 << 16)));
  const Seconds cpu_before = parts_.clock.ProcessCpu();
  const std::chrono::nanoseconds start = parts_.clock.Now();
  Seconds next_look{0};
  Seconds elapsed{0};
  while (series.size() < order.at_most || elapsed < order.shortest) {
    RETURN_IF_ERROR(
        series.TimeOne().While(fmt::format("inference {}", series.size() + 1)));
    elapsed = series.last_end() - start;
    if (elapsed >= order.time * kPatience) break;
    if (series.size() < order.at_least) continue;
    if (elapsed >= order.time) break;
    if (order.precision <= 0 || elapsed < next_look) continue;
    next_look = elapsed + kLookEvery;
    if (MeanIsKnown(series.seconds(), order.precision)) break;
  }
  return TimedRun{
      .samples = series.seconds(),
      .cpu_seconds = (parts_.clock.ProcessCpu() - cpu_before).count(),
      .peak_rss = parts_.host.PeakMemory()};
}

}  // namespace mete
