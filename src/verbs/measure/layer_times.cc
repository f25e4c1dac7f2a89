#include "measure/layer_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "stats/quantile.h"

namespace mete {
namespace {

// The first calls allocate memory and are slower.
constexpr size_t kDropped = 3;
// Fifty calls give the mean of a node to within a few percent. A slow network
// gets fewer, so that profiling takes about five seconds.
constexpr double kMostCalls = 50;
constexpr double kFewestCalls = 5;
constexpr Seconds kTimeForAll{5};

// A call that takes longer than this many median calls was interrupted.
constexpr double kInterrupted = 2;

size_t CallsFor(Seconds latency) {
  double affordable = kTimeForAll / std::max(latency, Seconds(1e-9));
  return kDropped +
         static_cast<size_t>(std::clamp(affordable, kFewestCalls, kMostCalls));
}

// A node's time in each call.
struct NodeSeries {
  std::string op;
  uint64_t calls = 0;
  std::map<size_t, double> by_iteration;
};

LayerTime Summarise(const std::string& name, const NodeSeries& node,
                    size_t iterations) {
  double count = static_cast<double>(iterations);
  double sum = 0;
  double squares = 0;
  for (const auto& [iteration, seconds] : node.by_iteration) {
    sum += seconds;
    squares += seconds * seconds;
  }
  double mean = sum / count;
  // A branch that is not taken counts as zero time, hence the division by all
  // calls.
  double variance =
      count < 2 ? 0 : (squares - count * mean * mean) / (count - 1);
  return {.name = name,
          .op = node.op,
          .calls = node.calls,
          .mean = Seconds(mean),
          .stddev = Seconds(std::sqrt(std::max(variance, 0.0)))};
}

bool HasBranches(const std::string& op) {
  return op == "If" || op == "Loop" || op == "Scan" || op == "SequenceMap";
}

bool Encloses(const NodeTime& outer, const NodeTime& inner) {
  return outer.start && inner.start && outer.iteration == inner.iteration &&
         *outer.start <= *inner.start &&
         *inner.start + inner.seconds <= *outer.start + outer.seconds;
}

// The time each node spent on itself, in the order of `times`.
std::vector<double> OwnSeconds(const std::vector<NodeTime>& times) {
  std::vector<size_t> by_start(times.size());
  std::iota(by_start.begin(), by_start.end(), size_t{0});
  std::ranges::stable_sort(by_start, [&](size_t a, size_t b) {
    // The outer of two that start together is the longer one.
    return std::tuple(times[a].iteration, times[a].start, -times[a].seconds) <
           std::tuple(times[b].iteration, times[b].start, -times[b].seconds);
  });
  std::vector<double> own(times.size());
  std::vector<size_t> open;  // nodes with branches, the innermost last
  for (size_t i : by_start) {
    own[i] = times[i].seconds;
    while (!open.empty() && !Encloses(times[open.back()], times[i])) {
      open.pop_back();
    }
    if (!open.empty()) own[open.back()] -= times[i].seconds;
    if (HasBranches(times[i].op)) open.push_back(i);
  }
  return own;
}

// The calls from `first` on that were not interrupted.
std::set<size_t> Undisturbed(const std::vector<NodeTime>& times,
                             const std::vector<double>& own, size_t first) {
  std::map<size_t, double> totals;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i].iteration >= first) totals[times[i].iteration] += own[i];
  }
  std::vector<double> values;
  for (const auto& [call, total] : totals) values.push_back(total);
  const double limit = kInterrupted * Quantile(values, 0.5).value_or(0);
  std::set<size_t> calls;
  for (const auto& [call, total] : totals) {
    if (total <= limit) calls.insert(call);
  }
  return calls;
}

void SetShares(std::vector<LayerTime>& layers) {
  Seconds total{0};
  for (const LayerTime& layer : layers) total += layer.mean;
  if (total <= Seconds(0)) return;
  for (LayerTime& layer : layers) layer.share = layer.mean / total;
}

}  // namespace

std::vector<LayerTime> SummariseNodes(const std::vector<NodeTime>& times,
                                      size_t first) {
  using Key = std::pair<std::string, std::string>;  // name, op
  std::map<Key, size_t> places;
  // in order of first appearance
  std::vector<std::pair<Key, NodeSeries>> nodes;
  const std::vector<double> own = OwnSeconds(times);
  const std::set<size_t> calls = Undisturbed(times, own, first);
  for (size_t i = 0; i < times.size(); ++i) {
    const NodeTime& time = times[i];
    if (!calls.contains(time.iteration)) continue;
    auto [place, is_new] =
        places.try_emplace({time.name, time.op}, nodes.size());
    if (is_new) nodes.push_back({place->first, {.op = time.op}});
    NodeSeries& node = nodes[place->second].second;
    ++node.calls;
    node.by_iteration[time.iteration] += std::max(own[i], 0.0);
  }
  std::vector<LayerTime> layers;
  for (const auto& [key, node] : nodes) {
    layers.push_back(Summarise(key.first, node, calls.size()));
  }
  SetShares(layers);
  return layers;
}

Result<MeasuredLayers> MeasureLayers(const LayerRequest& request,
                                     Engine& engine, std::stop_token stop) {
  LoadRequest load = request.load;
  load.profile = true;
  ASSIGN_OR_RETURN(auto session, engine.Load(load));
  RETURN_IF_ERROR(session->SetInputs(request.feeds.feeds.front()));
  size_t calls = CallsFor(request.expected_latency);
  for (size_t i = 0; i < calls && !stop.stop_requested(); ++i) {
    RETURN_IF_ERROR(session->Run());
  }
  ASSIGN_OR_RETURN(auto times, session->NodeTimes());
  MeasuredLayers measured{.layers = SummariseNodes(times, kDropped)};
  for (NodeTime& time : times) {
    if (time.iteration >= kDropped) measured.times.push_back(std::move(time));
  }
  return measured;
}

}  // namespace mete
