// Posts an arbitrary body to a prediction route: the first line is the target,
// the second the Content-Type. The reply must be JSON, and never "internal
// error".
#include "adapters/onnx/graph_reader.h"
#include "fuzz/input.h"
#include "serve/prediction_api.h"
#include "support/check.h"
#include "support/file.h"
#include "support/json.h"
#include "tests/fakes/fake_predictor.h"
#include "tests/fakes/fixed_nodes.h"

namespace {

mete::Router MakeRouter() {
  static mete::FixedNodes nodes;
  mete::ClusterNode node{.name = "rpi-1", .kind = "Computer"};
  node.facts.cores = 4;
  node.load = 0.5;
  nodes.snapshot.nodes = {node};
  static mete::OnnxGraphReader reader;
  static const mete::ScratchFolder folder = *mete::ScratchFolder::Create();
  mete::PredictorSet set;
  set.full = set.counts = std::make_shared<mete::FakePredictor>();
  mete::Router router;
  mete::AddPredictionRoutes(
      {.predictors =
           [set] { return std::make_shared<const mete::PredictorSet>(set); },
       .nodes = nodes,
       .reader = reader,
       .access = {},
       .uploads = {.folder = folder.path(), .space = mete::Mebibytes(4)}},
      router);
  return router;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const mete::Router router = MakeRouter();
  std::string_view rest = fuzz::ToText(bytes, size);
  mete::HttpRequest request{.method = "POST"};
  request.target = fuzz::TakeLine(rest);
  request.fields["content-type"] = fuzz::TakeLine(rest);
  request.body = rest;
  const mete::HttpReply reply = router.Route(request);
  CHECK(reply.response.status >= 200 && reply.response.status != 500);
  CHECK(mete::ParseJson(reply.response.body).ok()) << reply.response.body;
  return 0;
}
