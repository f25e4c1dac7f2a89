#include "measure/container_view.h"

namespace mete {

Mount DatasetMount(const std::filesystem::path& dataset) {
  return {.source = std::filesystem::absolute(dataset).lexically_normal(),
          .target = kDatasetInContainer,
          .read_only = true};
}

void ShowDataset(const std::filesystem::path& dataset, LaunchRequest& launch) {
  std::filesystem::path seen = std::filesystem::absolute(dataset);
  if (launch.container) {
    launch.container->mounts.push_back(DatasetMount(dataset));
    seen = kDatasetInContainer;
  }
  launch.environment.insert_or_assign("METE_DATASET", seen.string());
}

void ShowHooks(const std::filesystem::path& socket, LaunchRequest& launch) {
  std::filesystem::path seen = socket;
  if (launch.container) {
    // Read-only: the application can send to the socket but cannot create
    // files.
    for (const char* target : {kHooksInContainer, kOldHooksInContainer}) {
      launch.container->mounts.push_back({.source = socket.parent_path(),
                                          .target = target,
                                          .read_only = true});
    }
    seen = std::filesystem::path(kHooksInContainer) / socket.filename();
  }
  launch.environment.insert_or_assign("METE_HOOK_SOCKET", seen.string());
}

}  // namespace mete
