// The routes of an inference service: NeuRO's, KServe v2's and /metrics.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "service/inference_service.h"

namespace mete {

// Answers requests to one service. Thread-safe.
class InferenceRoutes {
 public:
  // `service` must outlive it.
  explicit InferenceRoutes(InferenceService& service);
  InferenceRoutes(const InferenceRoutes&) = delete;
  InferenceRoutes& operator=(const InferenceRoutes&) = delete;

  // Answers later if the request is queued, at once otherwise.
  void Handle(const HttpRequest& request, HttpResponder answer) const;
  // Whether Handle takes far less than a millisecond.
  static bool IsQuick(const HttpRequest& request);

  // "POST /infer" …, sorted.
  std::vector<std::string> Routes() const;

 private:
  using Handler = std::function<void(const HttpRequest&, HttpResponder)>;
  using Now = std::function<HttpReply(const HttpRequest&)>;

  void Add(const std::string& path, const std::string& method, Now handler);
  void AddHealth();
  void AddRecords();
  void SendTimes(const HttpResponder& answer);
  void RequestStatic(const HttpRequest& request,
                     const HttpResponder& answer) const;
  void Infer(const HttpRequest& request, const HttpResponder& answer) const;
  void Submit(InferenceWork work,
              std::function<HttpReply(const ServedInference&)> make,
              const HttpResponder& answer) const;
  HttpReply DescribeNetwork() const;

  InferenceService& service_;
  std::map<std::string, std::map<std::string, Handler>, std::less<>> routes_;
  std::atomic_flag sending_times_;
};

}  // namespace mete
