// Turns the JSON lines that an engine sends while it pulls an image into lines
// for people.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "support/result.h"

namespace mete {

// Parses the stream and reports progress.
class PullProgress {
 public:
  explicit PullProgress(std::function<void(const std::string&)> report)
      : report_(std::move(report)) {}

  void Take(std::string_view piece);
  // The error during the pull, if any: an engine responds 200 before it knows.
  Status status() const { return status_; }

 private:
  // Download progress of one layer.
  struct Layer {
    uint64_t current = 0;
    uint64_t total = 0;
  };
  void TakeLine(std::string_view line);
  void Report();

  std::function<void(const std::string&)> report_;
  std::string rest_;
  std::map<std::string, Layer> layers_;
  Status status_;
};

}  // namespace mete
