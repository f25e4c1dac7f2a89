// A predictor of contention as a file: the predictor, where it comes from and
// how large its errors are.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "contention/contention_predictor.h"
#include "contention/pressure_predictor.h"
#include "support/json.h"

namespace mete {

// What a file holds.
struct ContentionDocument {
  std::string device;
  double cores = 0;
  std::chrono::system_clock::time_point trained_at;
  uint64_t seed = 0;
  size_t mixes = 0;
  std::string mete_version;
  // ComparisonToJson of the training: the errors of all methods it tried.
  Json errors;
  std::shared_ptr<const ContentionPredictor> predictor;

  // For placement, which needs linear rows; null if another method was better.
  const PressurePredictor* pressure() const;
};

// Fail with kCorrupt when the text is not such a document, and with
// kUnsupported for a method or version that this mete does not know.
Result<ContentionDocument> ParseContentionDocument(std::string_view text);
std::string ContentionDocumentText(const ContentionDocument& document);

}  // namespace mete
