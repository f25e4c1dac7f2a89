// Reads arbitrary text as a kubeconfig file and as the answer of an exec
// plugin. Nothing may crash or throw.
#include "adapters/kubernetes/exec_plugin.h"
#include "adapters/kubernetes/kubeconfig.h"
#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string text(fuzz::ToText(bytes, size));
  auto config = mete::ParseKubeconfig(text, "/home/x/config");
  if (config.ok()) {
    mete::Kubeconfig merged = *config;
    mete::MergeKubeconfig(merged, *config);
    CHECK(merged.users.size() == config->users.size());
  }
  static_cast<void>(
      mete::ParseExecCredential(text, "client.authentication.k8s.io/v1").ok());
  return 0;
}
