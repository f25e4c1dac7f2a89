// The server of `mete serve`: the HTTP API and the nodes and predictors it
// caches between requests.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "devices/cached_nodes.h"
#include "jobs/queue.h"
#include "measure/run_id.h"
#include "net/http_server.h"
#include "net/request_limiter.h"
#include "ports/graph_reader.h"
#include "ports/node_source.h"
#include "ports/run_store.h"
#include "predict/predictor_cache.h"
#include "serve/prediction_api.h"
#include "serve/router.h"
#include "serve/server_metrics.h"
#include "web/web_guard.h"

namespace mete {

// The configuration of a Server.
struct ServerSettings {
  Endpoint listen;
  AccessRule access;  // the tokens that clients must send
  // TLS and the headers of responses; null: plain HTTP.
  std::shared_ptr<WebGuard> web{};
  bool open_prediction = false;   // predictions need no token
  bool allow_privileged = false;  // jobs may request privileges
  bool images_only = false;       // jobs may be images and networks only
  bool other_user = false;        // commands run as another user than mete
  // Files and folders of the server that jobs may not mount.
  std::vector<std::filesystem::path> private_paths{};
  UploadRule uploads;
  NodeCachePace nodes;
  RequestRate rate;  // of one client address
  // More names that a server on loopback answers to (net/known_hosts.h).
  std::vector<std::string> hosts{};
};

// Dependencies of a Server, borrowed while it runs.
struct ServerDependencies {
  Queue queue;
  RunStore& runs;  // used by one thread at a time and by nothing else
  NodeSource& nodes;
  GraphReader& reader;
  std::function<Result<PredictorSet>()> read_predictors;
  std::function<RunEntropy()> draw_entropy;  // thread-safe
  PlacingApi placing{};
};

// Serves requests on its own threads until it is destroyed.
class Server {
 public:
  // Returns when the server is listening. Fails like HttpServer::Start.
  static Result<std::unique_ptr<Server>> Start(
      const ServerSettings& settings, const ServerDependencies& dependencies);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The endpoint with the port that was assigned.
  Endpoint endpoint() const { return http_->endpoint(); }
  // Returns why predictions are currently impossible; ok if they are possible.
  Status Predictions() const;

 private:
  Server(const ServerSettings& settings,
         const ServerDependencies& dependencies);

  CachedNodes nodes_;
  PredictorCache predictors_;
  ServerMetrics metrics_;
  Router router_;
  std::shared_ptr<WebGuard> web_;
  RequestLimiter limiter_;
  std::unique_ptr<HttpServer> http_;  // destroyed first
};

}  // namespace mete
