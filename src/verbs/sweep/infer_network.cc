#include <mete/hook.h>  // must be first: it defines feature macros for libc

#include "sweep/infer_network.h"

#include <utility>

#include "domain/tensor.h"
#include "measure/network_options.h"

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
                   dependencies.engine.Load({.path = request.network,
                                             .threads = request.threads,
                                             .options = request.engine}));
  ASSIGN_OR_RETURN(loaded.feeds,
                   MakeInputs(loaded.session->inputs(), request.inputs,
                              dependencies.images));
  RETURN_IF_ERROR(loaded.session->SetInputs(loaded.feeds.feeds.front()));
  for (uint64_t i = 0; i < kWarmup; ++i) {
    RETURN_IF_ERROR(loaded.session->Run());
  }
  return loaded;
}

}  // namespace

std::vector<std::string> InferArguments(const InferRequest& request) {
  NetworkOptions options{.network = request.network,
                         .iterations = request.iterations,
                         .batch = request.inputs.sizes.batch,
                         .inputs = request.inputs.given,
                         .image_path = request.inputs.picture_folder,
                         .seed = request.inputs.seed,
                         .engine = request.engine};
  if (request.duration.count() > 0) options.duration = request.duration;
  for (const ShapeOverride& shape : request.inputs.sizes.shapes) {
    options.shapes.push_back(ToString(shape));
  }
  std::vector<std::string> arguments = {"bench", "infer"};
  for (std::string& argument : OptionArguments(options)) {
    arguments.push_back(std::move(argument));
  }
  arguments.insert(arguments.end(),
                   {"--threads", std::to_string(request.threads)});
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
