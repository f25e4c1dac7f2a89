#include "describe/live_bytes.h"

namespace mete {

LiveBytes::LiveBytes(const Graph& graph,
                     const std::vector<std::vector<std::string>>& reads)
    : graph_(graph), reads_(reads) {
  for (const GraphValue& input : graph.inputs) last_use_[input.name] = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& output : graph.nodes[i].outputs) {
      last_use_[output] = i;
    }
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& name : reads[i]) {
      auto found = last_use_.find(name);
      if (found != last_use_.end()) found->second = i;
    }
  }
  for (const GraphValue& output : graph.outputs) {
    auto found = last_use_.find(output.name);
    if (found != last_use_.end()) found->second = kNever;
  }
}

void LiveBytes::Add(std::string_view name, Amount bytes) {
  auto known = bytes.value();
  if (!known) {
    unknown_ += bytes;
  } else if (live_.emplace(name, *known).second) {
    // Each size is below 2^63. A sum beyond that is caught before it can wrap.
    total_ += *known;
    if (total_ >> 63 != 0) unknown_ = Amount::Absurd();
    if (unknown_.absurd()) total_ = 0;
  }
  peak_ = Larger(peak_, Amount(total_) + unknown_);
}

void LiveBytes::Finish(size_t place, Amount inside) {
  peak_ = Larger(peak_, Amount(total_) + inside + unknown_);
  for (const std::string& name : reads_[place]) {
    auto found = last_use_.find(name);
    if (found != last_use_.end() && found->second == place) Release(name);
  }
  for (const std::string& name : graph_.nodes[place].outputs) {
    if (last_use_.at(name) == place) Release(name);
  }
}

void LiveBytes::Release(std::string_view name) {
  auto found = live_.find(name);
  if (found == live_.end()) return;
  if (!unknown_.absurd()) total_ -= found->second;
  live_.erase(found);
}

}  // namespace mete
