// The server behind `mete serve`: the HTTP API with what it keeps between two
// requests, the nodes and predictors as they were a moment ago.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "devices/cached_nodes.h"
#include "jobs/queue.h"
#include "measure/run_id.h"
#include "net/http_server.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "predict/predictor_cache.h"
#include "serve/prediction_api.h"
#include "serve/router.h"
#include "serve/server_metrics.h"

namespace mete {

struct ServerSettings {
  Endpoint listen;
  std::string token;              // that callers must know; empty: none
  bool open_prediction = false;   // predictions need no token
  bool allow_privileged = false;  // jobs may ask for it
  UploadRule uploads;
  NodeCachePace nodes;
};

// Borrowed while the server runs.
struct ServerDependencies {
  Queue queue;
  NodeSource& nodes;
  GraphReader& reader;
  std::function<Result<PredictorSet>()> read_predictors;
  std::function<RunEntropy()> draw_entropy;  // from any thread
};

// Answers from threads of its own for as long as it lives.
class Server {
 public:
  // Listens when it returns. Fails as HttpServer::Start does.
  static Result<std::unique_ptr<Server>> Start(
      const ServerSettings& settings, const ServerDependencies& dependencies);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // With the port that was really taken.
  Endpoint endpoint() const { return http_->endpoint(); }
  // Why predictions are refused at the moment; fine when they are not.
  Status Predictions() const;

 private:
  Server(const ServerSettings& settings,
         const ServerDependencies& dependencies);

  CachedNodes nodes_;
  PredictorCache predictors_;
  ServerMetrics metrics_;
  Router router_;
  std::unique_ptr<HttpServer> http_;  // ends first
};

}  // namespace mete
