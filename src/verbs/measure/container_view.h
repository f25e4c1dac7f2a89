// Gives an application access to its dataset and its hook socket: by path or,
// in a container, by mount.
#pragma once

#include <filesystem>

#include "ports/launcher.h"

namespace mete {

// Their paths in a container.
inline constexpr const char* kDatasetInContainer = "/mete/dataset";
inline constexpr const char* kHooksInContainer = "/mete/hook";
// The WaAP library connects to /metrics/live_metrics.sock.
inline constexpr const char* kOldHooksInContainer = "/metrics";

// How a container sees its dataset.
Mount DatasetMount(const std::filesystem::path& dataset);

// Sets METE_DATASET to the folder. A container mounts it read-only.
void ShowDataset(const std::filesystem::path& dataset, LaunchRequest& launch);

// Sets METE_HOOK_SOCKET to the socket. A container mounts the socket's folder.
void ShowHooks(const std::filesystem::path& socket, LaunchRequest& launch);

}  // namespace mete
