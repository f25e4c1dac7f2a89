#include "adapters/docker/pull_progress.h"

#include <fmt/format.h>

#include "support/json.h"
#include "support/units.h"

namespace mete {

void PullProgress::Take(std::string_view piece) {
  rest_ += piece;
  size_t start = 0;
  for (size_t end = rest_.find('\n'); end != std::string::npos;
       end = rest_.find('\n', start)) {
    TakeLine(std::string_view(rest_).substr(start, end - start));
    start = end + 1;
  }
  rest_.erase(0, start);
}

// {"status":"Downloading","progressDetail":{"current":1,"total":2},"id":"ab"}
// or {"error":"…"}.
void PullProgress::TakeLine(std::string_view line) {
  auto json = ParseJson(line);
  if (!json.ok() || !json->is_object()) return;
  if (auto error = json->find("error");
      error != json->end() && error->is_string()) {
    status_ = NotFound(error->get<std::string>());
    return;
  }
  auto id = json->find("id");
  auto detail = json->find("progressDetail");
  auto status = json->find("status");
  bool moves = id != json->end() && id->is_string() && detail != json->end() &&
               detail->is_object() && status != json->end();
  // Unpacking counts the same bytes again.
  if (!moves || *status != "Downloading") return;
  auto number = [&](const char* key) -> uint64_t {
    auto found = detail->find(key);
    if (found == detail->end() || !found->is_number_unsigned()) return 0;
    return found->get<uint64_t>();
  };
  layers_[id->get<std::string>()] = {.current = number("current"),
                                     .total = number("total")};
  Report();
}

void PullProgress::Report() {
  if (!report_) return;
  Layer sum;
  for (const auto& [id, layer] : layers_) {
    sum.current += layer.current;
    sum.total += layer.total;
  }
  report_(fmt::format("{} of {} in {}", FormatBytes({sum.current}),
                      FormatBytes({sum.total}),
                      Counted(layers_.size(), "layer")));
}

}  // namespace mete
