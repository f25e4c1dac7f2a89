// Answers inference requests on one network: a bounded queue, workers with a
// session each, and records of what they did.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "domain/tensor.h"
#include "measure/input_tensors.h"
#include "ports/engine.h"
#include "ports/image_reader.h"
#include "service/generated_inputs.h"
#include "service/service_meter.h"
#include "service/service_records.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A network to serve, and how.
struct ServiceRequest {
  std::filesystem::path network;
  std::string name;  // in URLs and metrics
  std::string uid;   // of this replica
  int threads = 1;   // for each inference
  size_t workers = 1;
  int64_t batch = 1;           // of requests that name none
  int64_t largest_batch = 64;  // of generated inputs
  size_t queue = 256;          // requests that may wait
  InputRequest inputs;         // of requests without data
  EngineOptions engine;
};

// What a service needs, borrowed as long as it lives.
struct ServiceDependencies {
  Engine& engine;
  ImageReader& images;
  Clock& clock;
};

// One inference on data that the service generated.
struct GeneratedItems {
  int64_t batch = 1;
};
// One inference on these inputs; its outputs are returned.
using GivenTensors = std::vector<TensorValue>;
using InferenceWork = std::variant<GeneratedItems, GivenTensors>;

// A served request.
struct ServedInference {
  ServiceRecord record;
  int64_t batch = 1;                 // of generated inputs
  std::vector<TensorValue> outputs;  // for given inputs
};
// Called once on a worker's thread. Must not block for long: the worker waits.
using OnServed = std::function<void(Result<ServedInference>)>;

// A running service. Thread-safe.
class InferenceService {
 public:
  // Loads the network once for each worker and runs it once on generated
  // inputs, so that the first request is not slower than the others. Fails like
  // Engine::Load, and with kInvalidInput for a batch that the network does not
  // take.
  static Result<std::unique_ptr<InferenceService>> Open(
      ServiceRequest request, const ServiceDependencies& dependencies);
  // Finishes what is queued.
  ~InferenceService();
  InferenceService(const InferenceService&) = delete;
  InferenceService& operator=(const InferenceService&) = delete;

  // Queues a request; `done` is called if and only if it is accepted. Fails
  // with kUnavailable when the queue is full or Close was called.
  Status Submit(InferenceWork work, OnServed done);

  // Accepts no more requests. Those in the queue are served.
  void Close();
  // Refuses what is queued; what runs is finished. Returns how many there were.
  size_t RejectQueued();

  bool accepting() const;
  size_t queue_length() const;
  // Seconds until a place in the full queue is likely to be free, at least 1.
  std::chrono::seconds RetryAfter() const;
  // Wall-clock time of a moment in a record.
  std::chrono::system_clock::time_point Wall(
      std::chrono::nanoseconds moment) const;

  const ServiceRequest& request() const { return request_; }
  const std::vector<GraphValue>& inputs() const { return inputs_; }
  // Of generated inputs.
  int64_t largest_batch() const;
  ServiceRecords& records() { return records_; }
  const ServiceMeter& meter() const { return meter_; }

 private:
  struct Queued {
    InferenceWork work;
    OnServed done;
    std::chrono::nanoseconds arrival;
    size_t queue_length;
  };
  // A worker's session and what its inputs are set to.
  struct Worker {
    std::unique_ptr<EngineSession> session;
    GeneratedInputs generated;
    std::optional<int64_t> batch{};  // generated inputs that are set
  };

  InferenceService(ServiceRequest request,
                   const ServiceDependencies& dependencies);
  Status LoadWorkers();
  void Work(Worker& worker);
  Result<ServedInference> Serve(Worker& worker, Queued& queued);
  static Status SetInputs(Worker& worker, const InferenceWork& work);

  const ServiceRequest request_;
  const ServiceDependencies needs_;
  // The same moment on both clocks.
  const std::chrono::nanoseconds opened_;
  const std::chrono::system_clock::time_point opened_wall_;
  std::vector<GraphValue> inputs_;
  ServiceRecords records_;
  ServiceMeter meter_;
  mutable std::mutex mutex_;  // guards the next two
  std::deque<Queued> queue_;
  bool closed_ = false;
  std::condition_variable work_;
  std::deque<Worker> workers_;  // stable addresses
  std::vector<std::jthread> threads_;
};

}  // namespace mete
