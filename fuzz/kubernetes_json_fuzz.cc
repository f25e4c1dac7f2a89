// Reads arbitrary text as every answer of an API server. Nothing may crash or
// throw.
#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/kubelet_stats.h"
#include "adapters/kubernetes/object_json.h"
#include "adapters/kubernetes/pod_state.h"
#include "adapters/kubernetes/quantity.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "support/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string text(fuzz::ToText(bytes, size));
  CHECK(!mete::ApiError({.status = 500, .body = text}, "x").message().empty());
  mete::ParseQuantity(text);
  static_cast<void>(mete::ParseNodePage(text).ok());
  static_cast<void>(mete::ParsePodPage(text).ok());
  static_cast<void>(mete::ParseMeta(text, {}).ok());
  static_cast<void>(mete::ParseResources(text).ok());
  static_cast<void>(mete::ParseKubeletStats(text, "u").ok());
  static_cast<void>(mete::ParseWatchLine(text, mete::WatchedKind::kPods).ok());
  static_cast<void>(mete::ParsePodEvent(text).ok());
  auto json = mete::ParseJson(text);
  if (!json.ok()) return 0;
  if (auto pod = mete::ParsePodState(*json); pod.ok()) {
    mete::PodEnding(*pod);
    mete::StartProblem(*pod);
    mete::StartFailure(*pod);
  }
  return 0;
}
