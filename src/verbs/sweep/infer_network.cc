#include <mete/hook.h>  // must be first: it defines feature macros for libc

#include "sweep/infer_network.h"

#include <fmt/format.h>

#include "measure/input_tensors.h"

namespace mete {
namespace {

// The first inferences allocate memory.
constexpr uint64_t kWarmup = 3;

struct Loaded {
  std::unique_ptr<EngineSession> session;
  InputFeeds feeds;
};

Result<Loaded> Load(const InferRequest& request,
                    const InferDependencies& dependencies) {
  hook::Timer timer("init");
  Loaded loaded;
  ASSIGN_OR_RETURN(loaded.session,
                   dependencies.engine.Load(
                       {.path = request.network, .threads = request.threads}));
  ASSIGN_OR_RETURN(loaded.feeds, MakeInputs(loaded.session->inputs(), {},
                                            dependencies.images));
  RETURN_IF_ERROR(loaded.session->SetInputs(loaded.feeds.feeds.front()));
  for (uint64_t i = 0; i < kWarmup; ++i) {
    RETURN_IF_ERROR(loaded.session->Run());
  }
  return loaded;
}

}  // namespace

std::vector<std::string> InferArguments(const InferRequest& request) {
  std::vector<std::string> arguments = {"bench",
                                        "infer",
                                        request.network.string(),
                                        "--threads",
                                        std::to_string(request.threads),
                                        "--iterations",
                                        std::to_string(request.iterations)};
  if (request.duration.count() > 0) {
    arguments.insert(
        arguments.end(),
        {"--duration", fmt::format("{}s", request.duration.count())});
  }
  return arguments;
}

Status InferNetwork(const InferRequest& request,
                    const InferDependencies& dependencies,
                    std::stop_token stop) {
  ASSIGN_OR_RETURN(Loaded loaded, Load(request, dependencies));
  hook::Timer evaluate("evaluate");
  const std::chrono::nanoseconds begin = dependencies.clock.Now();
  mete_timer inference = mete_timer_start("inference");
  for (uint64_t i = 0; i < request.iterations ||
                       dependencies.clock.Now() - begin < request.duration;
       ++i) {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "stopped");
    }
    RETURN_IF_ERROR(loaded.session->Run());
    // The next timer starts before this one is reported, so that no time
    // between the two is lost: a quota can run out there, too.
    mete_timer next = mete_timer_start("inference");
    mete_timer_stop(inference);
    inference = next;
  }
  return {};
}

}  // namespace mete
