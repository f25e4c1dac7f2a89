#include <mete/hook.h>  // must be first: it defines feature macros for libc

#include "sweep/infer_network.h"

#include "measure/input_tensors.h"

namespace mete {
namespace {

// The first inferences allocate memory.
constexpr uint64_t kWarmup = 3;

struct Loaded {
  std::unique_ptr<EngineSession> session;
  InputFeeds feeds;
};

Result<Loaded> Load(const InferRequest& request, Engine& engine,
                    ImageReader& images) {
  hook::Timer timer("init");
  Loaded loaded;
  ASSIGN_OR_RETURN(loaded.session, engine.Load({.path = request.network,
                                                .threads = request.threads}));
  ASSIGN_OR_RETURN(loaded.feeds,
                   MakeInputs(loaded.session->inputs(), {}, images));
  RETURN_IF_ERROR(loaded.session->SetInputs(loaded.feeds.feeds.front()));
  for (uint64_t i = 0; i < kWarmup; ++i) {
    RETURN_IF_ERROR(loaded.session->Run());
  }
  return loaded;
}

}  // namespace

std::vector<std::string> InferArguments(const InferRequest& request) {
  return {"bench",
          "infer",
          request.network.string(),
          "--threads",
          std::to_string(request.threads),
          "--iterations",
          std::to_string(request.iterations)};
}

Status InferNetwork(const InferRequest& request, Engine& engine,
                    ImageReader& images, std::stop_token stop) {
  ASSIGN_OR_RETURN(Loaded loaded, Load(request, engine, images));
  hook::Timer evaluate("evaluate");
  for (uint64_t i = 0; i < request.iterations; ++i) {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "stopped");
    }
    hook::Timer inference("inference");
    RETURN_IF_ERROR(loaded.session->Run());
  }
  return {};
}

}  // namespace mete
