// Predictions over HTTP: the predecessor's POST /api/profiling and POST
// /upload, and ours, POST /api/v1/predict. docs/reference/http.md describes
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "predict/latency_predictor.h"
#include "serve/access.h"
#include "serve/ready_nodes.h"
#include "serve/router.h"
#include "support/units.h"

namespace mete {

// Where uploaded networks go, and how many.
struct UploadRule {
  std::filesystem::path folder;
  Bytes largest = Mebibytes(256);  // one of them
  Bytes space = Gibibytes(4);      // all of them
};

// A body of JSON that is larger than this is no question about a network.
inline constexpr Bytes kLargestQuestion = Mebibytes(1);
// With a description of every layer it may be longer.
inline constexpr Bytes kLargestDescription = Mebibytes(16);

// What the prediction routes need. Borrowed parts outlive the server and are
// used from several threads.
struct PredictionApi {
  std::function<Result<std::shared_ptr<const PredictorSet>>()> predictors;
  NodeSource& nodes;
  GraphReader& reader;
  AccessRule access;
  // These routes start no programs: the token may be waived for them. Web
  // pages are refused then, since browsers let them send forms anywhere.
  bool open = false;
  UploadRule uploads;
};

void AddPredictionRoutes(const PredictionApi& api, Router& router);

// How large a body of such a request may be; absent for any other.
std::optional<Bytes> PredictionBodyLimit(const UploadRule& uploads,
                                         std::string_view target);

// Whether a request is answered by computing alone, in well under a
// millisecond, once something was heard of the nodes: a question of usual size
// to the profiling service.
bool IsQuickPrediction(const HttpRequest& request);

}  // namespace mete
