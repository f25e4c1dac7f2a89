#include "wiring/watch_dependencies.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>

#include "analyze/analyze_job.h"
#include "ports/profile_store.h"
#include "watch/store_sink.h"
#include "wiring/system.h"

namespace mete {
namespace {

// The name of the pod in Kubernetes.
std::string ReplicaName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
  return std::string(name.data()) + "_" + std::to_string(getpid());
}

}  // namespace

Result<WatchCommandDependencies> ForWatching(System& system) {
  return WatchCommandDependencies{
      .clock = system.TheClock(),
      .analyzers = {.job = AnalyzeJob, .series = AnalyzeSeries},
      .threads = std::clamp(std::thread::hardware_concurrency(), 1U, 8U),
      .open_history = [&system] { return system.History(); },
      .open_cluster = [&system] { return system.TheCluster(); },
      .open_store_sink =
          [&system]() -> Result<std::unique_ptr<AnnotationSink>> {
        ASSIGN_OR_RETURN(auto store, system.NewProfileStore());
        ASSIGN_OR_RETURN(std::unique_ptr<AnnotationSink> sink,
                         StoreSink::Open(std::move(store), system.TheClock()));
        return sink;
      },
      .default_file = system.state_folder() / "profiles.json",
      .replica = ReplicaName()};
}

}  // namespace mete
