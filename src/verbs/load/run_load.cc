#include "load/run_load.h"

#include <algorithm>

#include "support/random.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

// Between opening the connections and the first request.
constexpr nanoseconds kLeadIn = std::chrono::milliseconds(10);
// At most until the next look at the stop token.
constexpr nanoseconds kAttention = std::chrono::milliseconds(100);
constexpr nanoseconds kProgressInterval = std::chrono::milliseconds(500);
// After an interruption, so that what was just sent still counts.
constexpr nanoseconds kShortDrain = std::chrono::seconds(1);
// A generator that is late still reads answers after this many requests.
constexpr size_t kMostWithoutWork = 16;

constexpr unsigned kIndexBits = 40;
uint64_t MakeTag(size_t target, size_t index) {
  return (static_cast<uint64_t>(target) << kIndexBits) | index;
}

Status CheckPlan(const LoadPlan& plan) {
  if (plan.targets.empty()) return InvalidInput("nothing to load");
  for (const LoadTarget& target : plan.targets) {
    if (target.endpoints.empty()) {
      return InvalidInput(target.name + " has no endpoint");
    }
  }
  return {};
}

// The state of one target during a load.
struct TargetState {
  const LoadTarget& target;
  std::vector<size_t> requests;  // numbers in the channel, one per replica
  Random random;
  size_t next = 0;  // index of the next arrival

  bool finished() const { return next == target.arrivals.times.size(); }
  nanoseconds due() const { return target.arrivals.times[next]; }

  uint32_t ChooseReplica() {
    size_t replicas = requests.size();
    if (replicas == 1) return 0;
    return static_cast<uint32_t>(target.choice == ReplicaChoice::kRandom
                                     ? random.Below(replicas)
                                     : next % replicas);
  }
};

// One load from its first to its last request.
class LoadRun {
 public:
  LoadRun(const LoadPlan& plan, const LoadDependencies& dependencies,
          std::stop_token stop)
      : plan_(plan), dependencies_(dependencies), stop_(std::move(stop)) {
    for (const LoadTarget& target : plan.targets) {
      window_ = std::max(window_, target.arrivals.window);
      planned_ += target.arrivals.times.size();
    }
    drain_ = plan.drain ? std::chrono::duration_cast<nanoseconds>(*plan.drain)
                        : window_;
  }

  Status Connect();
  std::vector<LoadSamples> Run();

 private:
  nanoseconds Elapsed() const { return dependencies_.clock.Now() - start_; }
  TargetState* NextTarget();
  void SendAll();
  void AwaitEnd(nanoseconds end);
  void Dispatch(TargetState& state, nanoseconds now);
  void Work(nanoseconds until);
  void Record(const HttpExchange& exchange);
  void Report();

  const LoadPlan& plan_;
  const LoadDependencies& dependencies_;
  const std::stop_token stop_;
  nanoseconds window_{0};
  nanoseconds drain_{0};
  size_t planned_ = 0;
  size_t sent_ = 0;
  std::unique_ptr<HttpChannel> channel_;
  std::vector<TargetState> states_;
  std::vector<LoadSamples> results_;
  std::vector<HttpExchange> done_;
  nanoseconds start_{0};
  nanoseconds next_report_{0};
};

Status LoadRun::Connect() {
  ASSIGN_OR_RETURN(channel_, dependencies_.open_channel());
  for (const LoadTarget& target : plan_.targets) {
    TargetState state{.target = target, .random = Random(target.seed)};
    for (const Endpoint& endpoint : target.endpoints) {
      ASSIGN_OR_RETURN(
          size_t server,
          channel_->AddServer(
              {.endpoint = endpoint, .most_connections = target.connections}));
      state.requests.push_back(channel_->AddRequest(server, target.request));
    }
    states_.push_back(std::move(state));
    LoadSamples result{.name = target.name,
                       .window = target.arrivals.window,
                       .arrivals = target.arrivals.origin};
    result.samples.reserve(target.arrivals.times.size());
    for (nanoseconds time : target.arrivals.times) {
      result.samples.push_back(
          {.intended = time, .fate = RequestFate::kNotSent});
    }
    results_.push_back(std::move(result));
  }
  return {};
}

std::vector<LoadSamples> LoadRun::Run() {
  start_ = dependencies_.clock.Now() + kLeadIn;
  SendAll();
  AwaitEnd(window_);
  bool interrupted = stop_.stop_requested();
  // Only the part of the window that was reached counts.
  nanoseconds reached = std::min(Elapsed(), window_);
  nanoseconds end =
      Elapsed() + (interrupted ? std::min(drain_, kShortDrain) : drain_);
  while (channel_->outstanding() > 0 && Elapsed() < end) {
    if (!interrupted && stop_.stop_requested()) break;
    Work(std::min(end, Elapsed() + kAttention));
  }
  nanoseconds drained = Elapsed();
  for (LoadSamples& result : results_) {
    result.drained = drained;
    result.interrupted = stop_.stop_requested();
    if (interrupted) result.window = std::min(result.window, reached);
  }
  return std::move(results_);
}

// The target whose request is due first; null when all were sent.
TargetState* LoadRun::NextTarget() {
  TargetState* first = nullptr;
  for (TargetState& state : states_) {
    if (state.finished()) continue;
    if (first == nullptr || state.due() < first->due()) first = &state;
  }
  return first;
}

void LoadRun::SendAll() {
  size_t without_work = 0;
  while (TargetState* next = NextTarget()) {
    if (stop_.stop_requested()) return;
    nanoseconds now = Elapsed();
    // A late generator looks for answers without waiting for any.
    nanoseconds until = now;
    if (now >= next->due()) {
      Dispatch(*next, now);
      if (++without_work < kMostWithoutWork) continue;
    } else {
      until = std::min(next->due(), now + kAttention);
    }
    without_work = 0;
    Work(until);
  }
}

void LoadRun::AwaitEnd(nanoseconds end) {
  while (Elapsed() < end && !stop_.stop_requested()) {
    Work(std::min(end, Elapsed() + kAttention));
  }
}

void LoadRun::Dispatch(TargetState& state, nanoseconds now) {
  auto target = static_cast<size_t>(&state - states_.data());
  size_t index = state.next;
  uint32_t replica = state.ChooseReplica();
  ++state.next;
  LoadSample& sample = results_[target].samples[index];
  sample.dispatched = now;
  sample.replica = replica;
  sample.fate = RequestFate::kUnanswered;
  channel_->Send(state.requests[replica], MakeTag(target, index));
  ++sent_;
}

void LoadRun::Work(nanoseconds until) {
  done_.clear();
  channel_->Work(start_ + until, done_);
  for (const HttpExchange& exchange : done_) Record(exchange);
  Report();
}

void LoadRun::Record(const HttpExchange& exchange) {
  size_t target = exchange.tag >> kIndexBits;
  size_t index = exchange.tag & ((uint64_t{1} << kIndexBits) - 1);
  LoadSample& sample = results_[target].samples[index];
  bool success = exchange.status >= 200 && exchange.status < 300;
  sample.fate = success ? RequestFate::kAnswered : RequestFate::kFailed;
  sample.fault = exchange.fault;
  sample.status = exchange.status;
  sample.timing = exchange.timing;
  if (exchange.sent) sample.sent = *exchange.sent - start_;
  if (exchange.fault == HttpFault::kNone) {
    sample.received = exchange.done - start_;
  }
}

void LoadRun::Report() {
  if (!dependencies_.progress || Elapsed() < next_report_) return;
  next_report_ = Elapsed() + kProgressInterval;
  dependencies_.progress({.elapsed = Elapsed(),
                          .window = window_,
                          .sent = sent_,
                          .planned = planned_,
                          .outstanding = channel_->outstanding()});
}

}  // namespace

Result<std::vector<LoadSamples>> RunLoad(const LoadPlan& plan,
                                         const LoadDependencies& dependencies,
                                         std::stop_token stop) {
  RETURN_IF_ERROR(CheckPlan(plan));
  LoadRun run(plan, dependencies, std::move(stop));
  RETURN_IF_ERROR(run.Connect());
  return run.Run();
}

}  // namespace mete
