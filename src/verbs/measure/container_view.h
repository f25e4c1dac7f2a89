// What an application is shown of this machine: its data and the socket of its
// hooks, by path or, in a container, by mount. The one place that knows how.
#pragma once

#include <filesystem>

#include "ports/launcher.h"

namespace mete {

// Where a container finds them.
inline constexpr const char* kDatasetInContainer = "/mete/dataset";
inline constexpr const char* kHooksInContainer = "/mete/hook";
// The predecessor's library connects to /metrics/live_metrics.sock.
inline constexpr const char* kOldHooksInContainer = "/metrics";

// METE_DATASET names the folder; a container gets it read-only.
void ShowDataset(const std::filesystem::path& dataset, LaunchRequest& launch);

// METE_HOOK_SOCKET names the socket; a container gets the socket's folder.
void ShowHooks(const std::filesystem::path& socket, LaunchRequest& launch);

}  // namespace mete
