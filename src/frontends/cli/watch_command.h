// mete watch: profiles nodes, pods and jobs from their metrics and annotates
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "cli/verb.h"
#include "watch/watch_round.h"

namespace mete {

// What the command needs. Functions open what only some options need.
struct WatchCommandDependencies {
  Clock& clock;
  Analyzers analyzers;
  size_t threads = 1;
  std::function<Result<MetricHistory*>()> open_history;
  std::function<Result<Cluster*>()> open_cluster;
  std::function<Result<std::unique_ptr<AnnotationSink>>()> open_store_sink;
  std::filesystem::path default_file;  // of the file sink
  std::string replica;                 // unique among replicas
};

void AddWatchCommand(Command root, Verbs& verbs,
                     Lazy<WatchCommandDependencies> dependencies);

}  // namespace mete
