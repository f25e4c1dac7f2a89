// Services of tests: they answer at once, count what happens to them, and fail
// on request.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contend/mix_load.h"
#include "contend/running_service.h"

namespace mete {

// What happened to the services of a test.
struct ServiceLog {
  std::vector<std::string> started;  // applications, in order
  int running = 0;
  int most_running = 0;
  int inferences = 0;
  int flushes = 0;
};

// What tests change.
struct ServiceScript {
  // Returns a failure of AwaitReady for the N-th start, from 1.
  std::function<Status(const std::string& application, size_t start)> ready =
      [](const std::string&, size_t) { return Status(); };
  std::map<std::string, double> service_seconds;  // 0.01 unless given
  bool has_ended = false;
  std::optional<Bytes> memory = Mebibytes(50);  // of an instance
  std::function<void()> on_infer = [] {};
};

class TestService final : public RunningService {
 public:
  TestService(std::string application, size_t start, ServiceScript& script,
              ServiceLog& log)
      : application_(std::move(application)),
        start_(start),
        script_(script),
        log_(log),
        endpoint_{.host = "127.0.0.1",
                  .port = static_cast<uint16_t>(9000 + start)} {
    log_.most_running = std::max(log_.most_running, ++log_.running);
  }
  ~TestService() override { --log_.running; }

  Status AwaitReady(Seconds, std::stop_token) override {
    return script_.ready(application_, start_);
  }
  bool HasEnded() override { return script_.has_ended; }
  const Endpoint& endpoint() const override { return endpoint_; }
  Status Infer(std::stop_token) override {
    ++log_.inferences;
    script_.on_infer();
    ++requests_;
    return {};
  }
  Status Flush(std::stop_token) override {
    ++log_.flushes;
    requests_ = 0;
    return {};
  }
  Result<ServiceTimes> Times(std::stop_token) override {
    auto given = script_.service_seconds.find(application_);
    double seconds =
        given == script_.service_seconds.end() ? 0.01 : given->second;
    std::vector<double> zeros(requests_, 0.0);
    return ServiceTimes{.uid = std::to_string(start_),
                        .service = std::vector<double>(requests_, seconds),
                        .arrival = zeros,
                        .departure = zeros,
                        .interarrival = zeros,
                        .queueing = zeros,
                        .queue_lengths = zeros};
  }
  ResourceUsage Usage() override {
    return {.cpu = Seconds(0.5), .memory = script_.memory};
  }
  std::vector<int> ProcessIds() override {
    return {static_cast<int>(1000 + start_)};
  }
  std::string Accounting() override { return "test"; }

 private:
  std::string application_;
  size_t start_;
  ServiceScript& script_;
  ServiceLog& log_;
  Endpoint endpoint_;
  size_t requests_ = 0;
};

// Starts test services. The script and the log must outlive it.
class TestStarter final : public ServiceStarter {
 public:
  TestStarter(ServiceScript& script, ServiceLog& log)
      : script_(script), log_(log) {}

  Status Prepare(const std::string&, std::stop_token) override { return {}; }
  Result<std::unique_ptr<RunningService>> Start(const std::string& application,
                                                std::stop_token) override {
    log_.started.push_back(application);
    return std::unique_ptr<RunningService>(std::make_unique<TestService>(
        application, log_.started.size(), script_, log_));
  }

 private:
  ServiceScript& script_;
  ServiceLog& log_;
};

// Answers every request of every tenant.
inline Result<std::vector<TenantAnswers>> AnswerAll(const MixLoad& load,
                                                    std::stop_token) {
  std::vector<TenantAnswers> answers;
  for (const TenantLoad& tenant : load.tenants) {
    auto sent = static_cast<uint64_t>(tenant.rate * load.window.count());
    answers.push_back({.sent = sent,
                       .answered = sent,
                       .sojourn = {.mean = 0.02, .p50 = 0.02}});
  }
  return answers;
}

}  // namespace mete
