#include "adapters/onnxruntime/profile.h"

#include <string>
#include <string_view>

#include "support/json.h"

namespace mete {
namespace {

constexpr std::string_view kNodeSuffix = "_kernel_time";

// Collects node times from events in the order in which they ended: the nodes
// of one run, then the run itself.
class Collector {
 public:
  void Add(const Json& event) {
    std::string category = event.value("cat", "");
    std::string name = event.value("name", "");
    if (category == "Session" && name == "model_run") ++iteration_;
    if (category == "Node" && name.ends_with(kNodeSuffix)) {
      AddNode(event, name.substr(0, name.size() - kNodeSuffix.size()));
    }
  }

  std::vector<NodeTime> Take() && { return std::move(times_); }

 private:
  void AddNode(const Json& event, std::string name) {
    auto arguments = event.find("args");
    bool named = arguments != event.end() && arguments->is_object();
    times_.push_back({.name = std::move(name),
                      .op = named ? arguments->value("op_name", "") : "",
                      .iteration = iteration_,
                      .start = event.value("ts", 0.0) * 1e-6,
                      .seconds = event.value("dur", 0.0) * 1e-6});
  }

  std::vector<NodeTime> times_;
  size_t iteration_ = 0;
};

}  // namespace

Result<std::vector<NodeTime>> ReadProfile(std::istream& stream) {
  Collector collector;
  auto on_parsed = [&](int depth, Json::parse_event_t event, Json& parsed) {
    bool is_event = depth == 1 && event == Json::parse_event_t::object_end;
    if (is_event) collector.Add(parsed);
    return !is_event;  // discard what has been processed
  };
  Status read = ReadJson("profile", [&]() -> Status {
    Json rest = Json::parse(stream, on_parsed);
    if (!rest.is_array()) return Corrupt("not a list of events");
    return {};
  });
  if (!read.ok()) return read.error();
  return std::move(collector).Take();
}

}  // namespace mete
