// The outside of running applications, made of fakes: a launcher with a
// script, containers that only remember, hooks that stay silent.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/application_outside.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_launcher.h"
#include "tests/fakes/fake_machine_probe.h"

namespace mete {

// Runs containers as the script says and has every image but one.
class ScriptedContainers final : public ContainerEngine {
 public:
  explicit ScriptedContainers(Launcher& launcher) : launcher_(launcher) {}
  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override {
    return launcher_.Start(request);
  }
  Result<ImageFacts> FetchImage(const std::string& reference, PullPolicy policy,
                                const std::function<void(const std::string&)>&,
                                std::stop_token) override {
    fetched.push_back(reference);
    last_policy = policy;
    if (reference == "missing") return NotFound("image missing: not found");
    return ImageFacts{.sha256 = "feed",
                      .architecture = "amd64",
                      .engine = "docker",
                      .engine_version = "24.0"};
  }
  std::vector<std::string> fetched;
  PullPolicy last_policy = PullPolicy::kMissing;

 private:
  Launcher& launcher_;
};

class SilentListener final : public AppListener {
 public:
  explicit SilentListener(std::filesystem::path path)
      : path_(std::move(path)) {}
  void Stop() override {}
  const std::filesystem::path& path() const override { return path_; }

 private:
  std::filesystem::path path_;
};

// Tests change `script`, `on_listen` and `listen_failure` before use.
struct FakeOutside {
  FakeClock clock;
  FakeHost host;
  FakeLauncher::Scripts script = [](const LaunchRequest&) {
    return ApplicationScript{};
  };
  // Called with every listening, for example to send events.
  std::function<void(const ListenRequest&, AppEventSink&)> on_listen =
      [](const ListenRequest&, AppEventSink&) {};
  std::optional<Error> listen_failure;  // of every listening
  FakeLauncher launcher{
      clock, [this](const LaunchRequest& request) { return script(request); }};
  ScriptedContainers containers{launcher};
  std::atomic<uint64_t> drawn = 0;

  ApplicationOutside Get() {
    return {
        .clock = clock,
        .host = host,
        .processes = [this]() -> Result<Launcher*> { return &launcher; },
        .containers = [this]() -> Result<ContainerEngine*> {
          return &containers;
        },
        .new_machine_probe =
            [] { return std::make_unique<FakeMachineProbe>(); },
        .listen = [this](const ListenRequest& request, AppEventSink& sink)
            -> Result<std::unique_ptr<AppListener>> {
          if (listen_failure) return *listen_failure;
          on_listen(request, sink);
          return std::unique_ptr<AppListener>(
              std::make_unique<SilentListener>(request.folder / "hook.sock"));
        },
        .draw_entropy = [this] { return RunEntropy{.low = ++drawn}; }};
  }
};

}  // namespace mete
