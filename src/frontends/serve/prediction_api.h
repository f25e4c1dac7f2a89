// Predictions over HTTP: POST /api/profiling and POST /upload of the PEPPER
// profiler, and mete's own POST /api/v1/predict and /api/v1/place.
// docs/reference/http.md describes them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "place/place_network.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "ports/service_host.h"
#include "predict/latency_predictor.h"
#include "serve/access.h"
#include "serve/ready_nodes.h"
#include "serve/router.h"
#include "serve/upload_description.h"
#include "support/units.h"

namespace mete {

// Where uploaded networks are kept, and how large they may be.
struct UploadRule {
  std::filesystem::path folder;
  Bytes largest = Mebibytes(256);  // of one file
  Bytes space = Gibibytes(4);      // of all files
  // Describes the files. Without a program, the server does that itself.
  UploadProcess process{};
};

// The largest JSON body of a request with counts only.
inline constexpr Bytes kLargestQuestion = Mebibytes(1);
// The largest JSON body of a request that describes every layer.
inline constexpr Bytes kLargestDescription = Mebibytes(16);

// Services that POST /api/v1/place lets run at the same time.
inline constexpr size_t kMostPlacedServices = 32;

// What POST /api/v1/place needs besides predictions.
struct PlacingApi {
  // Devices on which services can be started from here.
  std::function<Result<std::vector<LocalPlace>>()> local_places{};
  ServiceHost* services = nullptr;  // none: this server starts no services
  std::stop_token stop{};           // of the server
};

// Dependencies of the prediction routes. Borrowed parts must outlive the server
// and are used from several threads.
struct PredictionApi {
  std::function<Result<std::shared_ptr<const PredictorSet>>()> predictors;
  NodeSource& nodes;
  GraphReader& reader;
  AccessRule access;
  // These routes start no programs, so they may be open without a token. Web
  // pages are rejected then, since browsers let them send forms anywhere.
  bool open = false;
  UploadRule uploads;
  // Always needs a token: it starts programs.
  PlacingApi placing{};
};

void AddPredictionRoutes(const PredictionApi& api, Router& router);

// Returns the maximum body size of such a request; absent for other routes.
std::optional<Bytes> PredictionBodyLimit(const UploadRule& uploads,
                                         std::string_view target);

// Returns the folder for large bodies of such a request; empty for other
// routes, whose handlers expect bodies in memory.
std::filesystem::path UploadSpool(const UploadRule& uploads,
                                  std::string_view target);

// Returns whether a request only needs computation, well under a millisecond,
// once the nodes are known: a POST /api/profiling of normal size.
bool IsQuickPrediction(const HttpRequest& request);

}  // namespace mete
