#include "adapters/kubernetes/object_json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "adapters/kubernetes/quantity.h"
#include "support/clock.h"

namespace mete {
namespace {

namespace dom = simdjson::dom;
using simdjson::SUCCESS;
using Time = std::chrono::system_clock::time_point;

std::string TextIn(const dom::element& element, std::string_view key) {
  std::string_view text;
  if (element[key].get(text) != SUCCESS) return "";
  return std::string(text);
}

bool TruthIn(const dom::element& element, std::string_view key) {
  bool truth = false;
  return element[key].get(truth) == SUCCESS && truth;
}

// Calls `use` for every element of a list; a missing list is an empty one.
template <typename Use>
void ForEach(const dom::element& element, std::string_view key, Use use) {
  dom::array list;
  if (element[key].get(list) != SUCCESS) return;
  for (const dom::element& item : list) use(item);
}

// "2026-11-18T13:00:00Z", also with decimals, which are dropped.
std::optional<Time> TimeIn(const dom::element& element, std::string_view key) {
  std::string text = TextIn(element, key);
  constexpr size_t kToSeconds = 19;
  if (text.size() <= kToSeconds || text.back() != 'Z') return std::nullopt;
  auto time = ParseUtc(text.substr(0, kToSeconds) + "Z");
  if (!time.ok()) return std::nullopt;
  return *time;
}

LabelMap LabelsIn(const dom::element& element, std::string_view key) {
  LabelMap labels;
  dom::object map;
  if (element[key].get(map) != SUCCESS) return labels;
  for (auto [name, value] : map) {
    std::string_view text;
    if (value.get(text) == SUCCESS) labels.emplace(name, text);
  }
  return labels;
}

void ReadMetadata(const dom::element& object, ObjectMeta& meta) {
  dom::element metadata;
  if (object["metadata"].get(metadata) != SUCCESS) return;
  meta.ref.space = TextIn(metadata, "namespace");
  meta.ref.name = TextIn(metadata, "name");
  meta.ref.uid = TextIn(metadata, "uid");
  meta.resource_version = TextIn(metadata, "resourceVersion");
  meta.labels = LabelsIn(metadata, "labels");
  meta.annotations = LabelsIn(metadata, "annotations");
  meta.created_at = TimeIn(metadata, "creationTimestamp");
  ForEach(metadata, "ownerReferences", [&](const dom::element& owner) {
    meta.owners.push_back({.api_version = TextIn(owner, "apiVersion"),
                           .kind = TextIn(owner, "kind"),
                           .name = TextIn(owner, "name"),
                           .uid = TextIn(owner, "uid"),
                           .controller = TruthIn(owner, "controller")});
  });
}

// A quantity is text, but a plain number is accepted as well.
std::optional<double> AmountOf(const dom::element& value) {
  std::string_view text;
  if (value.get(text) == SUCCESS) return ParseQuantity(text);
  double number = 0;
  if (value.get(number) == SUCCESS) return number;
  return std::nullopt;
}

ResourceAmounts AmountsIn(const dom::element& element, std::string_view key) {
  ResourceAmounts amounts;
  dom::object map;
  if (element[key].get(map) != SUCCESS) return amounts;
  for (auto [name, value] : map) {
    auto amount = AmountOf(value);
    constexpr double kMost = 9e18;
    if (!amount || *amount < 0 || *amount > kMost / 1000) continue;
    if (name == "cpu") {
      amounts.cpus =
          Millicores{static_cast<int64_t>(std::ceil(*amount * 1000 - 1e-9))};
    } else if (name == "memory") {
      amounts.memory = Bytes{static_cast<uint64_t>(std::ceil(*amount))};
    } else if (name.find('/') != std::string_view::npos) {
      amounts.devices[std::string(name)] = static_cast<int64_t>(*amount);
    }
  }
  return amounts;
}

NodeObject ReadObject(const dom::element& object, NodeObject* /*kind*/) {
  NodeObject node;
  node.meta.ref = {.api_version = "v1", .kind = "Node"};
  ReadMetadata(object, node.meta);
  dom::element part;
  if (object["spec"].get(part) == SUCCESS) {
    node.unschedulable = TruthIn(part, "unschedulable");
  }
  if (object["status"].get(part) != SUCCESS) return node;
  node.capacity = AmountsIn(part, "capacity");
  node.allocatable = AmountsIn(part, "allocatable");
  ForEach(part, "conditions", [&](const dom::element& condition) {
    if (TextIn(condition, "type") != "Ready") return;
    node.ready = TextIn(condition, "status") == "True";
  });
  return node;
}

PodPhase ToPhase(const std::string& text) {
  if (text == "Pending") return PodPhase::kPending;
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  if (text == "Failed") return PodPhase::kFailed;
  return PodPhase::kUnknown;
}

void ReadContainerStatus(const dom::element& status, PodObject& pod) {
  const std::string name = TextIn(status, "name");
  for (ContainerObject& container : pod.containers) {
    if (container.name != name) continue;
    std::string id = TextIn(status, "containerID");
    size_t scheme = id.find("://");
    container.id = scheme == std::string::npos ? id : id.substr(scheme + 3);
    int64_t restarts = 0;
    if (status["restartCount"].get(restarts) == SUCCESS) {
      container.restarts = restarts;
    }
    for (const char* state : {"lastState", "state"}) {
      dom::element ended;
      if (status[state]["terminated"].get(ended) != SUCCESS) continue;
      container.last_ending = TextIn(ended, "reason");
    }
  }
}

PodObject ReadObject(const dom::element& object, PodObject* /*kind*/) {
  PodObject pod;
  pod.meta.ref = {.api_version = "v1", .kind = "Pod"};
  ReadMetadata(object, pod.meta);
  dom::element part;
  if (object["spec"].get(part) == SUCCESS) {
    pod.node = TextIn(part, "nodeName");
    ForEach(part, "containers", [&](const dom::element& container) {
      ContainerObject read{.name = TextIn(container, "name"),
                           .image = TextIn(container, "image")};
      dom::element resources;
      if (container["resources"].get(resources) == SUCCESS) {
        read.requests = AmountsIn(resources, "requests");
        read.limits = AmountsIn(resources, "limits");
      }
      pod.containers.push_back(std::move(read));
    });
  }
  if (object["status"].get(part) != SUCCESS) return pod;
  pod.phase = ToPhase(TextIn(part, "phase"));
  pod.started_at = TimeIn(part, "startTime");
  ForEach(part, "containerStatuses", [&](const dom::element& status) {
    ReadContainerStatus(status, pod);
  });
  return pod;
}

// We ask for 500. Objects without content take three bytes of an answer and
// hundreds of memory.
constexpr size_t kMostInAPage = 100'000;

// A node of a map with two strings, besides their text.
constexpr size_t kMapEntry = 100;

size_t MemoryOf(const LabelMap& map) {
  size_t bytes = 0;
  for (const auto& [name, value] : map) {
    bytes += kMapEntry + name.size() + value.size();
  }
  return bytes;
}

size_t MemoryOf(const ResourceAmounts& amounts) {
  size_t bytes = 0;
  for (const auto& [name, count] : amounts.devices) {
    bytes += kMapEntry + name.size();
  }
  return bytes;
}

size_t MemoryOf(const ObjectMeta& meta) {
  size_t bytes = meta.ref.space.size() + meta.ref.name.size() +
                 meta.ref.uid.size() + meta.resource_version.size() +
                 MemoryOf(meta.labels) + MemoryOf(meta.annotations);
  for (const OwnerReference& owner : meta.owners) {
    bytes += sizeof(owner) + owner.api_version.size() + owner.kind.size() +
             owner.name.size() + owner.uid.size();
  }
  return bytes;
}

Result<dom::element> ParseText(dom::parser& parser, std::string_view text) {
  dom::element root;
  auto error = parser.parse(text.data(), text.size()).get(root);
  if (error != SUCCESS) {
    return Corrupt(fmt::format("the API server's answer is not JSON: {}",
                               simdjson::error_message(error)));
  }
  return root;
}

template <typename Object>
Result<ObjectPage<Object>> ParsePage(std::string_view body) {
  dom::parser parser;
  ASSIGN_OR_RETURN(dom::element root, ParseText(parser, body));
  dom::array items;
  dom::element metadata;
  if (root["metadata"].get(metadata) != SUCCESS) {
    return Corrupt("the API server's answer is not a list");
  }
  ObjectPage<Object> page{
      .resource_version = TextIn(metadata, "resourceVersion"),
      .continuation = TextIn(metadata, "continue")};
  // An empty list may be null.
  if (root["items"].get(items) != SUCCESS) return page;
  for (const dom::element& item : items) {
    if (page.items.size() == kMostInAPage) {
      return Corrupt(fmt::format(
          "the API server's answer has more than {} objects", kMostInAPage));
    }
    page.items.push_back(ReadObject(item, static_cast<Object*>(nullptr)));
  }
  return page;
}

std::optional<WatchLine::Kind> ToLineKind(std::string_view text) {
  if (text == "ADDED") return WatchLine::Kind::kAdded;
  if (text == "MODIFIED") return WatchLine::Kind::kModified;
  if (text == "DELETED") return WatchLine::Kind::kDeleted;
  if (text == "BOOKMARK") return WatchLine::Kind::kBookmark;
  if (text == "ERROR") return WatchLine::Kind::kError;
  return std::nullopt;
}

void ReadError(const dom::element& object, WatchLine& line) {
  int64_t code = 0;
  if (object["code"].get(code) == SUCCESS) {
    line.error_status = static_cast<int>(code);
  }
  line.error_message = TextIn(object, "message");
}

}  // namespace

size_t MemoryOf(const NodeObject& node) {
  size_t bytes = sizeof(node) + MemoryOf(node.meta) + MemoryOf(node.capacity) +
                 MemoryOf(node.allocatable);
  for (const std::string& address : node.addresses) {
    bytes += sizeof(std::string) + address.size();
  }
  return bytes;
}

size_t MemoryOf(const PodObject& pod) {
  size_t bytes = sizeof(pod) + MemoryOf(pod.meta) + pod.node.size();
  for (const ContainerObject& container : pod.containers) {
    bytes += sizeof(container) + container.name.size() +
             container.image.size() + container.id.size() +
             container.last_ending.size() + MemoryOf(container.requests) +
             MemoryOf(container.limits);
  }
  return bytes;
}

Result<ObjectPage<NodeObject>> ParseNodePage(std::string_view body) {
  return ParsePage<NodeObject>(body);
}

Result<ObjectPage<PodObject>> ParsePodPage(std::string_view body) {
  return ParsePage<PodObject>(body);
}

Result<ObjectMeta> ParseMeta(std::string_view body, const ObjectRef& asked) {
  dom::parser parser;
  ASSIGN_OR_RETURN(dom::element root, ParseText(parser, body));
  ObjectMeta meta;
  ReadMetadata(root, meta);
  if (meta.ref.name.empty()) {
    return Corrupt("the API server's answer is not an object");
  }
  meta.ref.api_version = TextIn(root, "apiVersion");
  meta.ref.kind = TextIn(root, "kind");
  if (meta.ref.api_version.empty()) meta.ref.api_version = asked.api_version;
  if (meta.ref.kind.empty()) meta.ref.kind = asked.kind;
  return meta;
}

Result<WatchLine> ParseWatchLine(std::string_view text, WatchedKind watched) {
  dom::parser parser;
  ASSIGN_OR_RETURN(dom::element root, ParseText(parser, text));
  auto kind = ToLineKind(TextIn(root, "type"));
  dom::element object;
  if (!kind || root["object"].get(object) != SUCCESS) {
    return Corrupt("the API server sent an unknown watch event");
  }
  WatchLine line{.kind = *kind};
  if (*kind == WatchLine::Kind::kError) {
    ReadError(object, line);
    return line;
  }
  ObjectMeta meta;
  ReadMetadata(object, meta);
  line.resource_version = meta.resource_version;
  if (*kind == WatchLine::Kind::kBookmark) return line;
  if (watched == WatchedKind::kNodes) {
    line.objects.nodes = {
        ReadObject(object, static_cast<NodeObject*>(nullptr))};
  } else {
    line.objects.pods = {ReadObject(object, static_cast<PodObject*>(nullptr))};
  }
  line.objects.resource_version = line.resource_version;
  return line;
}

Result<std::vector<ApiResource>> ParseResources(std::string_view body) {
  dom::parser parser;
  ASSIGN_OR_RETURN(dom::element root, ParseText(parser, body));
  std::vector<ApiResource> resources;
  ForEach(root, "resources", [&](const dom::element& item) {
    ApiResource resource{.kind = TextIn(item, "kind"),
                         .plural = TextIn(item, "name"),
                         .in_spaces = TruthIn(item, "namespaced")};
    bool below = resource.plural.find('/') != std::string::npos;
    if (!below && !resource.plural.empty()) {
      resources.push_back(std::move(resource));
    }
  });
  return resources;
}

}  // namespace mete
