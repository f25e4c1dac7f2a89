#include "collect/collect_on_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "collect/collect_stream.h"

namespace mete {
namespace {

constexpr std::chrono::nanoseconds kLook = std::chrono::milliseconds(100);
// The run that is being measured when mete is stopped.
constexpr std::chrono::seconds kStopPatience{30};
// Of what a Job that failed has said.
constexpr size_t kLastLines = 3;
constexpr std::string_view kPrefix = "mete: ";  // of its messages
// Fewer than the size of an object in a cluster. What does not fit is measured
// again.
constexpr size_t kMostSkipBytes = 256 * 1024;

std::string LoadText(double load) { return fmt::format("{:.0f}", load * 100); }

// The command line of mete in the pod.
std::vector<std::string> CollectArguments(
    const CollectOnNodesRequest& request,
    const std::vector<std::string>& skipped) {
  const CollectRequest& how = request.how;
  std::string loads;
  for (double load : how.loads) {
    loads += (loads.empty() ? "" : ",") + LoadText(load);
  }
  std::vector<std::string> arguments = {
      "collect",      "--stream",
      "--networks",   request.networks,
      "--load",       loads,
      "--iterations", std::to_string(how.iterations),
      "--seconds",    fmt::format("{}s", how.time.count()),
      "--passes",     std::to_string(how.passes),
      "--batch",      std::to_string(how.batch),
      "--seed",       std::to_string(how.seed)};
  if (!how.pictures.empty()) {
    arguments.insert(arguments.end(), {"--image-path", how.pictures.string()});
  }
  size_t bytes = 0;
  for (const std::string& skip : skipped) {
    bytes += skip.size();
    if (bytes > kMostSkipBytes) break;
    arguments.insert(arguments.end(), {"--skip", skip});
  }
  return arguments;
}

// Takes output apart into lines, on the thread of the launcher.
class OutputLines {
 public:
  void Add(std::string_view text) {
    std::lock_guard lock(mutex_);
    rest_ += text;
    size_t end = 0;
    while ((end = rest_.find('\n')) != std::string::npos) {
      lines_.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
  }
  std::deque<std::string> Take() {
    std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::string rest_;
  std::deque<std::string> lines_;
};

// One node from the start of its Job to its end.
class NodeJob {
 public:
  NodeJob(const CollectOnNodesRequest& request,
          const CollectOnNodesDependencies& ports,
          const CollectCallbacks& callbacks, NodeCollection& result)
      : request_(request),
        ports_(ports),
        callbacks_(callbacks),
        result_(result) {}

  // Fails when the store does; whatever else happens is in the result.
  Status Start(const std::stop_token& stop) {
    ASSIGN_OR_RETURN(std::vector<std::string> skipped, Skipped());
    if (callbacks_.on_step) {
      callbacks_.on_step("starting on " + result_.node + " …");
    }
    auto started = ports_.launcher.Start(
        {.command = CollectArguments(request_, skipped),
         .container = ContainerSettings{.image = request_.image},
         .environment = {},
         .output = [this](std::string_view text) { output_.Add(text); },
         .node = result_.node,
         .run_id = "collect",
         .stop = stop});
    if (started.ok()) {
      job_ = *std::move(started);
      auto place = job_->Place();
      device_id_ = place && !place->device_id.empty() ? place->device_id
                                                      : "node-" + result_.node;
    } else if (started.error().code() == ErrorCode::kInterrupted) {
      result_.summary.interrupted = true;
    } else {
      result_.failure = started.error();
    }
    return {};
  }

  bool running() const { return job_ != nullptr; }

  // Waits for its end, at most this long, and stores what has arrived.
  Status Attend(std::chrono::nanoseconds at_most) {
    const bool ended = job_->Wait(at_most);
    if (ended) job_->Kill();  // waits for the rest of the output
    RETURN_IF_ERROR(StoreLines());
    if (ended) Judge(job_->Outcome());
    if (ended) job_.reset();
    return {};
  }

  void Terminate() { job_->Terminate(); }
  // After that: stores what there is until it has ended.
  Status Stop() {
    job_->Wait(kStopPatience);
    job_->Kill();
    Status stored = StoreLines();
    job_.reset();
    result_.summary.interrupted = true;
    return stored;
  }

 private:
  Result<std::vector<std::string>> Skipped() {
    auto known = ports_.store.FindDevice(result_.node);
    if (!known.ok()) return std::vector<std::string>();
    ASSIGN_OR_RETURN(auto runs, ports_.store.ListRuns({.device = known->id}));
    return SkippedTexts(runs, request_.how.batch);
  }

  Status StoreLines() {
    for (const std::string& line : output_.Take()) {
      auto record = ReadStreamed(line);
      if (record.ok()) {
        RETURN_IF_ERROR(
            std::visit([this](auto& value) { return Take(value); }, *record));
        continue;
      }
      const bool ours = line.starts_with(kPrefix);
      last_lines_.push_back(ours ? line.substr(kPrefix.size()) : line);
      if (last_lines_.size() > kLastLines) last_lines_.pop_front();
    }
    return {};
  }

  // The pod does not know which node it runs on.
  Status Take(ExportedRecord& record) {
    if (auto* device = std::get_if<Device>(&record)) {
      device->id = device_id_;
      device->name = result_.node;
    } else if (auto* run = std::get_if<Run>(&record)) {
      run->device_id = device_id_;
      run->device_name = result_.node;
      ++(run->outcome.kind == OutcomeKind::kCompleted ? result_.summary.measured
                                                      : result_.summary.failed);
    }
    return SaveRecord(ports_.store, record)
        .While("store what " + result_.node + " measured");
  }

  Status Take(CollectProgress& progress) {
    progress.device = result_.node;
    result_.summary.total = progress.total;
    if (callbacks_.on_progress) callbacks_.on_progress(progress);
    return {};
  }

  Status Take(CollectSummary& summary) {
    result_.summary = std::move(summary);
    complete_ = true;
    return {};
  }

  void Judge(const ProcessEnding& ending) {
    if (complete_ && ending.exit_code == 0) return;
    std::string why;
    for (const std::string& line : last_lines_) {
      why += (why.empty() ? "" : "; ") + line;
    }
    if (ending.oom_kills > 0) {
      why = "out of memory";
    } else if (ending.proved) {
      why = ending.proved->detail;
    } else if (why.empty() && ending.exit_code == 0) {
      why = "the image does not run mete collect";
    } else if (why.empty()) {
      why = ending.exit_code ? fmt::format("exit code {}", *ending.exit_code)
                             : "the pod is gone";
    }
    result_.failure = Unavailable(why);
  }

  const CollectOnNodesRequest& request_;
  const CollectOnNodesDependencies& ports_;
  const CollectCallbacks& callbacks_;
  NodeCollection& result_;
  OutputLines output_;  // outlives the Job, whose thread adds to it
  std::unique_ptr<RunningApplication> job_;
  std::string device_id_;
  std::deque<std::string> last_lines_;  // other than records
  bool complete_ = false;
};

}  // namespace

Result<std::vector<NodeCollection>> CollectOnNodes(
    const CollectOnNodesRequest& request,
    const CollectOnNodesDependencies& dependencies,
    const CollectCallbacks& callbacks, std::stop_token stop) {
  RETURN_IF_ERROR(dependencies.store.CheckWritable());
  std::vector<NodeCollection> results;
  for (const std::string& node : request.nodes) {
    results.push_back({.node = node, .summary = {}, .failure = std::nullopt});
  }
  std::vector<std::unique_ptr<NodeJob>> running;
  size_t next = 0;
  while (next < results.size() || !running.empty()) {
    if (stop.stop_requested()) break;
    if (next < results.size() && running.size() < request.at_once) {
      auto job = std::make_unique<NodeJob>(request, dependencies, callbacks,
                                           results[next++]);
      RETURN_IF_ERROR(job->Start(stop));
      if (job->running()) running.push_back(std::move(job));
      continue;
    }
    for (const auto& job : running) {
      RETURN_IF_ERROR(job->Attend(kLook / running.size()));
    }
    std::erase_if(running, [](const auto& job) { return !job->running(); });
  }
  for (const auto& job : running) job->Terminate();
  for (const auto& job : running) RETURN_IF_ERROR(job->Stop());
  for (; next < results.size(); ++next) {
    results[next].summary.interrupted = true;
  }
  return results;
}

}  // namespace mete
