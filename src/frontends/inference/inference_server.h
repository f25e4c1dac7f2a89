// The HTTP server of an inference service.
#pragma once

#include <chrono>
#include <memory>

#include "inference/inference_routes.h"
#include "net/http_server.h"
#include "support/result.h"

namespace mete {

// A running server. Destroying it ends it; requests in the queue are answered
// first.
class InferenceServer {
 public:
  // Listens when it returns. `service` must outlive it. Fails like
  // HttpServer::Start.
  static Result<std::unique_ptr<InferenceServer>> Start(
      const Endpoint& listen, InferenceService& service);

  // With the port that is actually used.
  Endpoint endpoint() const { return http_->endpoint(); }

  // Accepts nothing more, and returns when everything in the queue is answered.
  // Returns false if that took longer than `at_most`.
  bool Drain(std::chrono::milliseconds at_most);

 private:
  explicit InferenceServer(InferenceService& service)
      : service_(service), routes_(service) {}

  InferenceService& service_;
  InferenceRoutes routes_;
  std::unique_ptr<HttpServer> http_;  // last: it uses the routes
};

}  // namespace mete
