#include "service/inference_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mete {

InferenceService::InferenceService(ServiceRequest request,
                                   const ServiceDependencies& dependencies)
    : request_(std::move(request)),
      needs_(dependencies),
      opened_(needs_.clock.Now()),
      opened_wall_(needs_.clock.Wall()) {}

InferenceService::~InferenceService() {
  Close();
  threads_.clear();  // joins them
}

Result<std::unique_ptr<InferenceService>> InferenceService::Open(
    ServiceRequest request, const ServiceDependencies& dependencies) {
  const std::string act = "serve " + request.name;
  std::unique_ptr<InferenceService> service(
      new InferenceService(std::move(request), dependencies));
  RETURN_IF_ERROR(service->LoadWorkers().While(act));
  for (Worker& worker : service->workers_) {
    service->threads_.emplace_back(
        [raw = service.get(), &worker] { raw->Work(worker); });
  }
  return service;
}

Status InferenceService::LoadWorkers() {
  for (size_t i = 0; i < request_.workers; ++i) {
    ASSIGN_OR_RETURN(auto session,
                     needs_.engine.Load({.path = request_.network,
                                         .threads = request_.threads,
                                         .options = request_.engine}));
    inputs_ = session->inputs();
    workers_.push_back(
        {.session = std::move(session),
         .generated = {{.inputs = inputs_,
                        .values = request_.inputs,
                        .largest_batch =
                            std::max(request_.largest_batch, request_.batch)},
                       needs_.images}});
    Worker& worker = workers_.back();
    RETURN_IF_ERROR(SetInputs(worker, GeneratedItems{.batch = request_.batch}));
    if (Status ran = worker.session->Run(); !ran.ok()) {
      return ran.error().While(
          fmt::format("one inference with batch {}", request_.batch));
    }
    worker.session->ReleaseOutputs();
  }
  return {};
}

Status InferenceService::Submit(InferenceWork work, OnServed done) {
  {
    std::lock_guard lock(mutex_);
    if (closed_ || queue_.size() >= request_.queue) {
      ++meter_.rejected;
      return Unavailable(closed_ ? "the service is shutting down"
                                 : fmt::format("the queue is full: {} requests "
                                               "are waiting",
                                               queue_.size()));
    }
    queue_.push_back({.work = std::move(work),
                      .done = std::move(done),
                      .arrival = needs_.clock.Now(),
                      .queue_length = queue_.size()});
  }
  work_.notify_one();
  return {};
}

void InferenceService::Work(Worker& worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return;  // closed
    Queued queued = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Result<ServedInference> served = Serve(worker, queued);
    queued.done(std::move(served));
    queued = {};  // what the callback owns, before the lock is taken
    lock.lock();
  }
}

Status InferenceService::SetInputs(Worker& worker, const InferenceWork& work) {
  if (const auto* given = std::get_if<GivenTensors>(&work)) {
    worker.batch.reset();
    return worker.session->SetInputs(*given);
  }
  const int64_t batch = std::get<GeneratedItems>(work).batch;
  if (worker.batch == batch) return {};
  ASSIGN_OR_RETURN(const auto* values, worker.generated.For(batch));
  worker.batch.reset();
  RETURN_IF_ERROR(worker.session->SetInputs(*values));
  worker.batch = batch;
  return {};
}

Result<ServedInference> InferenceService::Serve(Worker& worker,
                                                Queued& queued) {
  ServedInference served{.record = {.arrival = queued.arrival,
                                    .queue_length = queued.queue_length},
                         .outputs = {}};
  auto run = [&]() -> Status {
    // Generating data is not part of the service.
    if (std::holds_alternative<GeneratedItems>(queued.work))
      RETURN_IF_ERROR(SetInputs(worker, queued.work));
    served.record.start = needs_.clock.Now();
    if (std::holds_alternative<GivenTensors>(queued.work))
      RETURN_IF_ERROR(SetInputs(worker, queued.work));
    return worker.session->Run();
  };
  Status ran = run();
  served.record.departure = needs_.clock.Now();
  if (!ran.ok()) {
    // A mistake of the client says nothing about the engine.
    ++(ran.error().code() == ErrorCode::kInvalidInput ? meter_.invalid
                                                      : meter_.failed);
    return ran.error();
  }
  if (std::holds_alternative<GivenTensors>(queued.work)) {
    auto outputs = worker.session->Outputs();
    if (!outputs.ok()) {
      worker.session->ReleaseOutputs();
      ++meter_.failed;
      return outputs.error();
    }
    served.outputs = *std::move(outputs);
  } else {
    served.batch = std::get<GeneratedItems>(queued.work).batch;
  }
  worker.session->ReleaseOutputs();
  records_.Add(served.record);
  meter_.AddServed(served.record);
  return served;
}

void InferenceService::Close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  work_.notify_all();
}

size_t InferenceService::RejectQueued() {
  std::deque<Queued> refused;
  {
    std::lock_guard lock(mutex_);
    refused.swap(queue_);
  }
  meter_.rejected += refused.size();
  for (Queued& queued : refused)
    queued.done(Unavailable("the service is shutting down"));
  return refused.size();
}

int64_t InferenceService::largest_batch() const {
  return std::max(request_.largest_batch, request_.batch);
}

bool InferenceService::accepting() const {
  std::lock_guard lock(mutex_);
  return !closed_;
}

size_t InferenceService::queue_length() const {
  std::lock_guard lock(mutex_);
  return queue_.size();
}

std::chrono::seconds InferenceService::RetryAfter() const {
  const uint64_t served = meter_.served;
  if (served == 0) return std::chrono::seconds(1);
  const double each =
      Seconds(meter_.service_time.Sum()).count() / static_cast<double>(served);
  // Half of the queue: by then there is room for more than one client.
  const double wait = each * static_cast<double>(request_.queue) /
                      static_cast<double>(2 * request_.workers);
  return std::chrono::seconds(
      static_cast<int64_t>(std::clamp(std::ceil(wait), 1.0, 60.0)));
}

std::chrono::system_clock::time_point InferenceService::Wall(
    std::chrono::nanoseconds moment) const {
  return opened_wall_ +
         std::chrono::duration_cast<std::chrono::system_clock::duration>(
             moment - opened_);
}

}  // namespace mete
