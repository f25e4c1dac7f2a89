#include "adapters/kubernetes/running_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

using std::chrono::nanoseconds;

// Kubelets count every 10 s or so.
constexpr std::chrono::seconds kUsageEvery{5};
constexpr std::chrono::seconds kBeatEvery{60};
constexpr std::chrono::milliseconds kStartLook{100};
// Longer than the usual grace of a pod, which older kubelets do not shorten.
constexpr std::chrono::seconds kKillPatience{60};
constexpr std::chrono::seconds kOutputPatience{5};

}  // namespace

Result<std::unique_ptr<RunningApplication>> RunningJob::Start(
    Parts parts, const std::stop_token& stop) {
  std::unique_ptr<RunningJob> job(new RunningJob(std::move(parts)));
  RETURN_IF_ERROR(job->AwaitStart(stop));
  const std::string node = job->Pod().node;
  if (auto machine = job->api_.MachineId(node, stop); machine.ok()) {
    job->machine_ = *machine;
  }
  RunningJob* running = job.get();
  if (job->output_) {
    job->reader_ = std::jthread(
        [running](std::stop_token own) { running->FollowOutput(own); });
  }
  job->attendant_ =
      std::jthread([running](std::stop_token own) { running->Attend(own); });
  return std::unique_ptr<RunningApplication>(std::move(job));
}

RunningJob::RunningJob(Parts parts)
    : api_(parts.api),
      clock_(parts.clock),
      name_(std::move(parts.name)),
      image_(std::move(parts.image)),
      output_(std::move(parts.output)),
      limits_(std::move(parts.limits)),
      patience_(parts.patience),
      created_(parts.clock.Now()),
      notes_(limits_.notes) {
  follower_ = std::jthread([this](std::stop_token own) { FollowPod(own); });
}

RunningJob::~RunningJob() {
  Kill();
  static_cast<void>(api_.Delete(name_).ok());
}

void RunningJob::FollowPod(std::stop_token stop) {
  Status followed = api_.Follow(
      name_,
      [this](const PodChange& changed) {
        std::lock_guard lock(mutex_);
        // A pod that replaces the first one is not ours to report.
        if (pod_ && pod_->uid != changed.pod.uid) return true;
        // Deleting may drop the state of a container that has ended.
        const bool known = pod_ && pod_->Ended();
        if (!known) pod_ = changed.pod;
        deleted_ = deleted_ || changed.deleted;
        change_.notify_all();
        return !deleted_;
      },
      std::move(stop));
  std::lock_guard lock(mutex_);
  if (!followed.ok()) trouble_ = followed.error();
  change_.notify_all();
}

std::optional<Status> RunningJob::StartVerdict(nanoseconds now) {
  if (trouble_) return Status(*trouble_);
  if (!pod_) {
    if (deleted_) return Status(Unavailable("its pod was deleted"));
    if (now - created_ < patience_.start) return std::nullopt;
    return Status(Error(ErrorCode::kTimeout,
                        "no pod was created; is the controller manager "
                        "running?"));
  }
  if (auto failure = StartFailure(*pod_)) return Status(*failure);
  if (pod_->running || pod_->Ended()) return Status();
  if (deleted_) return Status(Unavailable("its pod was deleted"));
  if (auto problem = StartProblem(*pod_)) return Status(*problem);
  if (!pod_->unschedulable) {
    unschedulable_since_ = now;
  } else if (now - unschedulable_since_ >= patience_.unschedulable) {
    return Status(Unsupported("no node fits: " + pod_->message));
  }
  if (now - created_ < patience_.start) return std::nullopt;
  return Status(
      Error(ErrorCode::kTimeout,
            fmt::format("it did not start within {}: {}",
                        FormatSeconds(Seconds(patience_.start)),
                        pod_->waiting.empty() ? pod_->phase : pod_->waiting)));
}

Status RunningJob::AwaitStart(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  unschedulable_since_ = clock_.Now();
  while (!stop.stop_requested()) {
    if (auto verdict = StartVerdict(clock_.Now())) {
      return std::move(*verdict).While(
          fmt::format("image {} as Job {}", image_, name_));
    }
    change_.wait_for(lock, stop, kStartLook, [] { return false; });
  }
  return Error(ErrorCode::kInterrupted,
               "interrupted while Job " + name_ + " was starting");
}

void RunningJob::FollowOutput(std::stop_token stop) {
  uint64_t delivered = 0;
  Status read;
  do {
    // A new stream starts at the beginning of the log.
    uint64_t skip = delivered;
    read = api_.Logs(
        Pod().name,
        [&](std::string_view text) {
          const size_t known = std::min<uint64_t>(skip, text.size());
          skip -= known;
          text.remove_prefix(known);
          delivered += text.size();
          if (!text.empty()) output_(text);
        },
        stop);
    // The stream may also end because the connection does.
    if (read.ok() && Ended()) break;
  } while (clock_.SleepFor(std::chrono::milliseconds(500), stop) && !Ended());
  if (!read.ok() && !stop.stop_requested()) AddNote(read.error().message());
  std::lock_guard lock(mutex_);
  output_ended_ = true;
  change_.notify_all();
}

void RunningJob::ReadUsage(const PodState& pod, const std::stop_token& stop) {
  auto usage = api_.Usage(pod, stop);
  std::lock_guard lock(mutex_);
  if (!usage.ok()) return;
  usage_ = *usage;
  counted_ = true;
}

void RunningJob::Attend(std::stop_token stop) {
  nanoseconds next_beat = clock_.Now() + kBeatEvery;
  while (!Ended()) {
    ReadUsage(Pod(), stop);
    if (clock_.Now() >= next_beat) {
      next_beat = clock_.Now() + kBeatEvery;
      static_cast<void>(api_.Beat(name_, FormatUtc(clock_.Wall()), stop).ok());
    }
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, stop, kUsageEvery,
                     [this] { return deleted_ || (pod_ && pod_->Ended()); });
    if (stop.stop_requested()) return;
  }
}

bool RunningJob::Wait(nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  return change_.wait_for(lock, at_most, [this] {
    return deleted_ || trouble_ || (pod_ && pod_->Ended());
  });
}

bool RunningJob::Ended() { return Wait(nanoseconds(0)); }

PodState RunningJob::Pod() {
  std::lock_guard lock(mutex_);
  return pod_.value_or(PodState());
}

void RunningJob::AddNote(const std::string& note) {
  std::lock_guard lock(mutex_);
  if (std::ranges::find(notes_, note) == notes_.end()) notes_.push_back(note);
}

// The Job first, so that it does not replace its pod.
void RunningJob::Delete(std::optional<int> grace) {
  Status deleted = api_.Delete(name_);
  const std::string pod = Pod().name;
  if (deleted.ok() && !pod.empty()) deleted = api_.DeletePod(pod, grace);
  if (!deleted.ok()) AddNote(deleted.error().message());
}

void RunningJob::Terminate() {
  if (!Ended()) Delete(std::nullopt);
}

void RunningJob::Kill() {
  if (!Ended()) {
    Delete(1);
    if (!Wait(kKillPatience)) {
      AddNote(fmt::format(
          "node {} did not confirm the end of pod {}; it was removed from the "
          "cluster without that",
          Pod().node, Pod().name));
      Delete(0);
      Wait(std::chrono::seconds(5));
    }
  }
  {
    std::unique_lock lock(mutex_);
    if (reader_.joinable()) {
      change_.wait_for(lock, kOutputPatience, [this] { return output_ended_; });
    }
  }
  reader_ = std::jthread();  // stops and waits
  attendant_ = std::jthread();
  follower_ = std::jthread();
}

ResourceUsage RunningJob::Usage() {
  std::lock_guard lock(mutex_);
  return usage_;
}

std::string RunningJob::Accounting() const {
  std::lock_guard lock(mutex_);
  return counted_ ? "statistics of the kubelet" : "none";
}

ProcessEnding RunningJob::Outcome() {
  std::lock_guard lock(mutex_);
  if (pod_ && pod_->Ended()) return PodEnding(*pod_);
  ProcessEnding ending =
      LostEnding(pod_.value_or(PodState{.name = "of " + name_}));
  if (trouble_) ending.evidence = trouble_->message();
  return ending;
}

const std::vector<std::string>& RunningJob::notes() const {
  std::lock_guard lock(mutex_);
  read_notes_ = notes_;
  if (!counted_) {
    read_notes_.emplace_back(
        "CPU time and memory are unknown: the node's kubelet did not report "
        "them in time, or access to nodes/proxy is missing");
  }
  return read_notes_;
}

std::optional<RemotePlace> RunningJob::Place() const {
  std::lock_guard lock(mutex_);
  return RemotePlace{.device_id = machine_,
                     .device_name = pod_ ? pod_->node : ""};
}

}  // namespace mete
