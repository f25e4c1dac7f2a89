#include "adapters/docker/docker_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "adapters/docker/container_config.h"
#include "adapters/docker/running_container.h"
#include "cgroups/group_folders.h"
#include "support/json.h"

namespace mete {
namespace {

Error WhatToDo(const Error& error) {
  if (error.code() == ErrorCode::kInterrupted) return error;
  std::string advice =
      "is docker or podman running? Set DOCKER_HOST to use another";
  if (error.code() == ErrorCode::kPermissionDenied) {
    advice = "join the group docker, or run as root";
  }
  return Error(error.code(), fmt::format("container engine: {}; {}",
                                         error.message(), advice));
}

void RemoveLeftovers(const DockerApi& api, const SystemRoot& root,
                     const std::stop_token& stop) {
  auto owned = api.Owned(kOwnerLabel, stop);
  if (!owned.ok()) return;
  for (const OwnedContainer& container : *owned) {
    if (!OwnerIsGone(root, container.owner)) continue;
    static_cast<void>(api.Remove(container.id, stop).ok());
  }
}

bool Mentions(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

// Engines reject limits with the same status as other invalid input; a message
// about memory or CPUs is about limits.
Error CreateError(const Error& error, const LaunchRequest& request) {
  std::string message =
      fmt::format("image {}: {}", request.container->image, error.message());
  bool limited = request.limits.memory || request.limits.cpus ||
                 request.limits.cpuset || request.limits.pin ||
                 request.limits.processes;
  bool about_limits = false;
  for (const char* word : {"memory", "Memory", "CPU", "cpu", "PIDs", "pids"}) {
    about_limits = about_limits || Mentions(message, word);
  }
  if (limited && about_limits && error.code() != ErrorCode::kNotFound) {
    return Unsupported(message);
  }
  return Error(error.code(), message);
}

// "…: exec: \"/x\": stat /x: no such file or directory: unknown"
Error StartError(const Error& error, const LaunchRequest& request) {
  std::string what =
      request.command.empty() ? "its program" : request.command.front();
  std::string act =
      fmt::format("start {} in image {}", what, request.container->image);
  const std::string& message = error.message();
  // The runtime names the file to which it could not write a limit.
  if (size_t at = message.find("failed to write"); at != std::string::npos) {
    return Unsupported(act +
                       ": the kernel rejects a limit: " + message.substr(at));
  }
  if (Mentions(message, "no such file or directory") ||
      Mentions(message, "executable file not found")) {
    return NotFound(act + ": no such file or directory");
  }
  if (Mentions(message, "permission denied")) {
    return Error(ErrorCode::kPermissionDenied, act + ": permission denied");
  }
  return error.While(act);
}

// Access to the engine means full control over the machine.
Status CheckSocket(const ContainerSettings& settings,
                   const Endpoint& endpoint) {
  if (!endpoint.local() || settings.privileges.engine_socket) return {};
  std::error_code error;
  auto socket = std::filesystem::weakly_canonical(endpoint.socket, error);
  for (const Mount& mount : settings.mounts) {
    auto source = std::filesystem::weakly_canonical(mount.source, error);
    auto rest = socket.lexically_relative(source);
    if (rest.empty() || *rest.begin() == "..") continue;
    return Error(
        ErrorCode::kPermissionDenied,
        fmt::format("mount {} gives the container access to its engine; "
                    "use --allow-privileged to allow it",
                    mount.source.string()));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<DockerEngine>> DockerEngine::Open(Endpoint endpoint,
                                                         SystemRoot root,
                                                         std::stop_token stop) {
  DockerApi api(std::move(endpoint));
  auto facts = api.Facts(stop);
  if (!facts.ok()) return WhatToDo(facts.error());
  RemoveLeftovers(api, root, stop);
  RemoveLeftoverGroups(root);
  return std::unique_ptr<DockerEngine>(
      new DockerEngine(std::move(api), *std::move(facts), std::move(root)));
}

Result<LaunchFacts> DockerEngine::Prepare(
    const LaunchRequest& request,
    const std::function<void(const std::string&)>& progress,
    std::stop_token stop) {
  if (!request.container || request.container->image.empty()) {
    return InvalidInput("prepare: no image is given");
  }
  const std::string& reference = request.container->image;
  auto image = api_.Image(reference, stop);
  bool missing = !image.ok() && image.error().code() == ErrorCode::kNotFound;
  if (!image.ok() && !missing) return image.error();
  if (missing && request.pull == PullPolicy::kNever) {
    return NotFound(fmt::format(
        "image {}: not present, and pulling is disabled", reference));
  }
  if (missing || request.pull == PullPolicy::kAlways) {
    Status pulled = api_.Pull(reference, progress, std::move(stop));
    if (!pulled.ok()) return pulled.error().While("pull " + reference);
    image = api_.Image(reference);
    if (!image.ok()) return image.error().While("image " + reference);
  }
  return LaunchFacts{
      .sha256 = image->sha256,
      .engine = {.name = facts_.name, .version = facts_.version}};
}

Result<std::unique_ptr<RunningApplication>> DockerEngine::Start(
    const LaunchRequest& request) {
  if (!request.container || request.container->image.empty()) {
    return InvalidInput("start: no image given");
  }
  RETURN_IF_ERROR(CheckSocket(*request.container, api_.endpoint()));
  auto image = api_.Image(request.container->image);
  if (!image.ok()) {
    return image.error().While("image " + request.container->image);
  }
  // systemd creates cgroups itself and names them differently.
  ControlGroup parent = facts_.systemd_groups ? ControlGroup::None(root_)
                                              : ControlGroup::CreateTop(root_);
  auto created = api_.Create(ContainerConfig(
      {.launch = request,
       .image_environment = image->environment,
       .owner = OwnTag(root_),
       .parent_group = parent.counts() ? parent.TopPath() : ""}));
  if (!created.ok()) return CreateError(created.error(), request);
  auto running = RunningContainer::Start({.api = api_,
                                          .root = root_,
                                          .parent = std::move(parent),
                                          .id = created->id,
                                          .stop_signal = image->stop_signal,
                                          .output = request.output,
                                          .notes = created->warnings});
  if (!running.ok()) return StartError(running.error(), request);
  return running;
}

}  // namespace mete
