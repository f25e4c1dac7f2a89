#include "adapters/prometheus/join_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "support/json.h"

namespace mete {
namespace {

using Nodes = std::map<std::string, ClusterNode, std::less<>>;

// "10.0.0.5:9100" -> "10.0.0.5"; "[::1]:9100" -> "::1".
std::string_view ParseHost(std::string_view instance) {
  if (instance.starts_with('[')) {
    size_t close = instance.find(']');
    return close == std::string_view::npos ? instance
                                           : instance.substr(1, close - 1);
  }
  size_t colon = instance.rfind(':');
  bool version6 = instance.find(':') != colon;
  return version6 ? instance : instance.substr(0, colon);
}

void SetText(std::string& place, std::string_view text) {
  if (!text.empty()) place = text;
}

int ToCores(double value) {
  return static_cast<int>(std::clamp(value, 0.0, 100'000.0));
}

Bytes ToBytes(double value) {
  return Bytes{static_cast<uint64_t>(std::clamp(value, 0.0, 1e18))};
}

// The speed for a number of threads; created if missing.
EngineSpeed& SpeedFor(ClusterNode& node, std::string_view label) {
  int threads = 1;
  if (!label.empty())
    threads = std::max(1, std::atoi(std::string(label).c_str()));
  if (!node.micro) node.micro.emplace();
  std::vector<EngineSpeed>& speeds = node.micro->speeds;
  auto place =
      std::ranges::lower_bound(speeds, threads, {}, &EngineSpeed::threads);
  if (place == speeds.end() || place->threads != threads) {
    place = speeds.insert(place, EngineSpeed{.threads = threads});
  }
  return *place;
}

struct SpeedSeries {
  std::string_view name;
  double EngineSpeed::*place;
};
constexpr std::array<SpeedSeries, 5> kSpeeds = {{
    {"mete_device_engine_gemm_flops_per_second",
     &EngineSpeed::gemm_flops_per_second},
    {"mete_device_engine_conv_flops_per_second",
     &EngineSpeed::conv_flops_per_second},
    {"mete_device_engine_depthwise_flops_per_second",
     &EngineSpeed::depthwise_flops_per_second},
    {"mete_device_engine_elementwise_bytes_per_second",
     &EngineSpeed::elementwise_bytes_per_second},
    {"mete_device_engine_node_seconds", &EngineSpeed::node_seconds},
}};

void TakeSpeed(const MetricSample& sample, ClusterNode& node) {
  for (const SpeedSeries& series : kSpeeds) {
    if (sample.name() != series.name) continue;
    SpeedFor(node, sample.Label("threads")).*series.place = sample.value;
    SetText(node.micro->engine, sample.Label("engine"));
  }
  if (sample.name() == "mete_device_engine_measured_timestamp_seconds") {
    if (!node.micro) node.micro.emplace();
    node.micro->measured_at =
        std::chrono::system_clock::time_point(std::chrono::seconds(
            static_cast<int64_t>(std::clamp(sample.value, 0.0, 1e10))));
  }
}

void TakeInfo(const MetricSample& sample, ClusterNode& node) {
  SetText(node.uuid, sample.Label("uuid"));
  SetText(node.kind, sample.Label("class"));
  SetText(node.facts.architecture, sample.Label("architecture"));
  SetText(node.facts.cpu_model, sample.Label("cpu_model"));
  SetText(node.facts.board, sample.Label("board"));
  SetText(node.facts.os, sample.Label("os"));
  SetText(node.facts.kernel, sample.Label("kernel"));
  SetText(node.device_model, sample.Label("board"));
  if (node.device_model.empty()) {
    SetText(node.device_model, sample.Label("cpu_model"));
  }
  node.emulated = sample.Label("emulated") == "true";
}

// The limits of an emulated device.
void TakeLimit(const MetricSample& sample, ClusterNode& node) {
  if (!node.limits) node.limits.emplace();
  if (sample.name() == "mete_device_limit_memory_bytes") {
    node.limits->memory = ToBytes(sample.value);
  } else if (sample.name() == "mete_device_limit_cpus") {
    node.limits->cpus = Millicores{
        static_cast<int64_t>(std::clamp(sample.value, 0.0, 1e6) * 1000)};
  } else if (sample.name() == "mete_device_limit_threads") {
    node.limits->threads = ToCores(sample.value);
  }
}

void TakeNative(const MetricSample& sample, ClusterNode& node) {
  std::string_view name = sample.name();
  if (name == "mete_device_info") {
    TakeInfo(sample, node);
  } else if (name == "mete_device_cores") {
    node.facts.cores = ToCores(sample.value);
  } else if (name == "mete_device_max_frequency_hertz") {
    node.facts.max_frequency_hz = sample.value;
  } else if (name == "mete_device_memory_bytes") {
    node.facts.ram = ToBytes(sample.value);
  } else if (name == "mete_device_memory_available_bytes") {
    node.memory_available = ToBytes(sample.value);
  } else if (name.starts_with("mete_device_limit_")) {
    TakeLimit(sample, node);
  } else {
    TakeSpeed(sample, node);
  }
}

// From EdgeCloud-Mon's characterization agent. Values of our agent for the same
// node take precedence.
void TakeCharacterization(const MetricSample& sample, ClusterNode& node) {
  std::string_view name = sample.name();
  if (node.uuid.empty()) SetText(node.uuid, sample.Label("char_node_uuid"));
  if (node.kind.empty()) SetText(node.kind, sample.Label("char_node_class"));
  DeviceFacts& facts = node.facts;
  if (name == "char_node_device_model") {
    std::string_view board = sample.Label("char_node_device_model_name");
    if (node.device_model.empty()) SetText(node.device_model, board);
    if (facts.board.empty()) SetText(facts.board, board);
  } else if (name == "char_node_cpu_total_cores") {
    if (facts.cores == 0) facts.cores = ToCores(sample.value);
    if (facts.cpu_model.empty()) {
      SetText(facts.cpu_model, sample.Label("char_node_brand"));
    }
    if (facts.architecture.empty()) {
      SetText(facts.architecture, sample.Label("char_node_arch"));
    }
  } else if (name == "char_node_ram_total_bytes") {
    if (facts.ram.count == 0) facts.ram = ToBytes(sample.value);
  } else if (name == "char_node_os" && facts.os.empty()) {
    facts.os = fmt::format("{} {}", sample.Label("char_node_os_name"),
                           sample.Label("char_node_os_version"));
  }
}

// Prometheus renames a label of the series to this name when the target has a
// label of the same name.
std::string_view DeclaredName(const MetricSample& sample) {
  for (const char* label : {"exported_node", "node"}) {
    if (std::string_view name = sample.Label(label); !name.empty()) return name;
  }
  return ParseHost(sample.Label("instance"));
}

Nodes Declared(const std::vector<MetricSample>& facts) {
  Nodes nodes;
  auto node_of = [&nodes](std::string_view name) -> ClusterNode& {
    auto [place, made] = nodes.try_emplace(std::string(name));
    place->second.name = name;
    return place->second;
  };
  for (const MetricSample& sample : facts) {
    if (!sample.name().starts_with("mete_device_")) continue;
    std::string_view name = DeclaredName(sample);
    if (!name.empty()) TakeNative(sample, node_of(name));
  }
  for (const MetricSample& sample : facts) {
    if (!sample.name().starts_with("char_node_")) continue;
    std::string_view name = sample.Label("char_node_name");
    if (!name.empty()) TakeCharacterization(sample, node_of(name));
  }
  for (auto& [name, node] : nodes) {
    if (node.kind.empty()) node.kind = node.emulated ? "Emulated" : "Computer";
  }
  return nodes;
}

// Decides which node each instance of node exporter belongs to.
class Owners {
 public:
  Owners(const NodeSamples& samples, const Nodes& nodes) {
    for (const MetricSample& sample : samples.facts) {
      if (sample.name() == "node_uname_info") {
        host_names_.insert_or_assign(std::string(sample.Label("instance")),
                                     std::string(sample.Label("nodename")));
      }
    }
    for (const auto* list : {&samples.load, &samples.cores}) {
      for (const MetricSample& sample : *list) Claim(sample, nodes);
    }
    for (const MetricSample& sample : samples.facts) {
      if (sample.name().starts_with("node_")) Claim(sample, nodes);
    }
  }

  // "" when it belongs to none, or when another instance has a better claim.
  std::string FindOwner(const MetricSample& sample) const {
    std::string instance(sample.Label("instance"));
    for (const auto& [node, claim] : claims_) {
      if (claim.instance == instance && !claim.disputed) return node;
    }
    return "";
  }
  // Both instances if two have an equal claim to the node.
  std::optional<std::string> Dispute(const std::string& node) const {
    auto claim = claims_.find(node);
    if (claim == claims_.end() || !claim->second.disputed) return std::nullopt;
    return fmt::format("{} and {}", claim->second.instance,
                       *claim->second.disputed);
  }
  // Instances that belong to no node.
  const std::set<std::string>& strangers() const { return strangers_; }

 private:
  struct Owned {
    std::string instance;
    size_t rank = 0;  // 0 is the best
    std::optional<std::string> disputed;
  };

  void Claim(const MetricSample& sample, const Nodes& nodes) {
    std::string instance(sample.Label("instance"));
    auto host_name = host_names_.find(instance);
    std::array<std::string_view, 4> names = {
        sample.Label("node"), instance, ParseHost(instance),
        host_name == host_names_.end() ? std::string_view()
                                       : std::string_view(host_name->second)};
    for (size_t rank = 0; rank < names.size(); ++rank) {
      if (names[rank].empty() || !nodes.contains(names[rank])) continue;
      Settle(std::string(names[rank]), {.instance = instance, .rank = rank});
      return;
    }
    if (!instance.empty()) strangers_.insert(instance);
  }

  void Settle(const std::string& node, Owned claim) {
    auto [place, first] = claims_.try_emplace(node, claim);
    Owned& standing = place->second;
    if (first || standing.instance == claim.instance) {
      standing.rank = std::min(standing.rank, claim.rank);
    } else if (claim.rank < standing.rank) {
      standing = std::move(claim);
    } else if (claim.rank == standing.rank) {
      standing.disputed = claim.instance;
    }
  }

  std::map<std::string, std::string> host_names_;  // by instance
  std::map<std::string, Owned> claims_;            // by node
  std::set<std::string> strangers_;
};

// Passes each sample to the node it belongs to.
template <typename Taker>
void Deal(const std::vector<MetricSample>& samples, const Owners& owners,
          Nodes& nodes, Taker take) {
  for (const MetricSample& sample : samples) {
    auto node = nodes.find(owners.FindOwner(sample));
    if (node != nodes.end()) take(sample, node->second);
  }
}

// Uses values of mete-agent where node exporter has none.
void FillIn(const std::vector<MetricSample>& samples, Nodes& nodes,
            std::optional<double> ClusterNode::*place) {
  for (const MetricSample& sample : samples) {
    auto node = nodes.find(DeclaredName(sample));
    if (node == nodes.end() || (node->second.*place).has_value()) continue;
    node->second.*place = sample.value;
  }
}

void TakeExporterFact(const MetricSample& sample, ClusterNode& node) {
  std::string_view name = sample.name();
  DeviceFacts& facts = node.facts;
  if (name == "node_memory_MemAvailable_bytes") {
    node.memory_available = ToBytes(sample.value);
  } else if (name == "node_memory_MemTotal_bytes" && facts.ram.count == 0) {
    facts.ram = ToBytes(sample.value);
  } else if (name == "node_uname_info") {
    if (facts.architecture.empty()) {
      SetText(facts.architecture, sample.Label("machine"));
    }
    if (facts.kernel.empty()) SetText(facts.kernel, sample.Label("release"));
  } else if (name == "node_cpu_frequency_max_hertz") {
    facts.max_frequency_hz =
        std::max(facts.max_frequency_hz.value_or(0), sample.value);
  }
}

constexpr const char* kNoLoad =
    "no recent CPU load: neither node_cpu_seconds_total nor "
    "mete_device_cpu_seconds_total has two samples within the load window";

// A speed with a missing series would make that kind of work free.
void DropIncompleteSpeeds(ClusterNode& node) {
  if (!node.micro) return;
  std::erase_if(node.micro->speeds, [](const EngineSpeed& speed) {
    return std::ranges::any_of(kSpeeds, [&](const SpeedSeries& series) {
      return !(speed.*series.place > 0);
    });
  });
  if (node.micro->speeds.empty()) node.micro.reset();
}

std::optional<std::string> WhyUnknown(const ClusterNode& node,
                                      const Owners& owners) {
  if (auto both = owners.Dispute(node.name)) {
    return fmt::format("both {} claim to be this node", *both);
  }
  if (!KnowsItsCpus(node)) return "its number of cores is not reported";
  return std::nullopt;
}

}  // namespace

std::vector<ClusterNode> JoinNodes(const NodeSamples& samples) {
  Nodes nodes = Declared(samples.facts);
  Owners owners(samples, nodes);
  Deal(samples.facts, owners, nodes, &TakeExporterFact);
  Deal(samples.load, owners, nodes, [](const auto& sample, ClusterNode& node) {
    node.load = std::clamp(sample.value, 0.0, 1.0);
  });
  Deal(samples.cores, owners, nodes, [](const auto& sample, ClusterNode& node) {
    if (node.facts.cores == 0) node.facts.cores = ToCores(sample.value);
  });
  Deal(samples.disk, owners, nodes, [](const auto& sample, ClusterNode& node) {
    node.disk_used = std::clamp(sample.value, 0.0, 1.0);
  });
  Deal(samples.temperature, owners, nodes,
       [](const auto& sample, ClusterNode& node) {
         node.temperature_celsius = sample.value;
       });
  FillIn(samples.own_load, nodes, &ClusterNode::load);
  FillIn(samples.own_disk, nodes, &ClusterNode::disk_used);
  FillIn(samples.own_temperature, nodes, &ClusterNode::temperature_celsius);
  std::vector<ClusterNode> joined;
  for (auto& [name, node] : nodes) {
    if (node.load) node.load = std::clamp(*node.load, 0.0, 1.0);
    DropIncompleteSpeeds(node);
    node.unknown = WhyUnknown(node, owners);
    if (!node.unknown && !node.load) {
      node.unknown = kNoLoad;
      node.wants_load = true;
    }
    joined.push_back(std::move(node));
  }
  for (const std::string& instance : owners.strangers()) {
    ClusterNode stranger{.name = instance};
    stranger.unknown =
        "only node exporter reports it; no char_node_* or mete_device_* "
        "series has its name";
    joined.push_back(std::move(stranger));
  }
  std::ranges::stable_sort(joined, {}, &ClusterNode::name);
  return joined;
}

}  // namespace mete
