// Fake dependencies for running applications: a launcher with a script,
// containers that only record calls, hooks that stay silent.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/application_dependencies.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_host.h"
#include "tests/fakes/fake_launcher.h"
#include "tests/fakes/fake_machine_probe.h"

namespace mete {

// Runs containers according to the script and has every image except one.
class ScriptedContainers final : public Launcher {
 public:
  explicit ScriptedContainers(Launcher& launcher) : launcher_(launcher) {}
  Result<LaunchFacts> Prepare(const LaunchRequest& request,
                              const std::function<void(const std::string&)>&,
                              std::stop_token) override {
    const std::string& image = request.container->image;
    fetched.push_back(image);
    last_policy = request.pull;
    if (image == "missing") return NotFound("image missing: not found");
    return LaunchFacts{.sha256 = "feed",
                       .engine = {.name = "docker", .version = "24.0"}};
  }
  Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) override {
    return launcher_.Start(request);
  }
  std::vector<std::string> fetched;
  PullPolicy last_policy = PullPolicy::kMissing;

 private:
  Launcher& launcher_;
};

// A listener that receives nothing.
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
class FakeDependencies {
 public:
  FakeClock clock;
  FakeHost host;
  FakeLauncher::Scripts script = [](const LaunchRequest&) {
    return ApplicationScript{};
  };
  // Called for every new listener, for example to send events.
  std::function<void(const ListenRequest&, AppEventSink&)> on_listen =
      [](const ListenRequest&, AppEventSink&) {};
  std::optional<Error> listen_failure;  // of every listener
  std::atomic<uint64_t> drawn = 0;

 private:
  // Owned here until `launchers` takes them; their addresses do not change.
  std::unique_ptr<FakeLauncher> new_launcher_ = std::make_unique<FakeLauncher>(
      clock, [this](const LaunchRequest& request) { return script(request); });
  std::unique_ptr<ScriptedContainers> new_containers_ =
      std::make_unique<ScriptedContainers>(*new_launcher_);
  std::unique_ptr<FakeLauncher> new_cluster_ = std::make_unique<FakeLauncher>(
      clock, [this](const LaunchRequest& request) { return script(request); });

 public:
  FakeLauncher& launcher = *new_launcher_;
  FakeLauncher& cluster = *new_cluster_;  // called "kubernetes"
  ScriptedContainers& containers = *new_containers_;
  Launchers launchers{
      {{WorkloadKind::kCommand,
        [this](std::stop_token) -> Result<std::unique_ptr<Launcher>> {
          return std::unique_ptr<Launcher>(std::move(new_launcher_));
        }},
       {WorkloadKind::kImage,
        [this](std::stop_token) -> Result<std::unique_ptr<Launcher>> {
          return std::unique_ptr<Launcher>(std::move(new_containers_));
        }}},
      {{"kubernetes",
        [this](std::stop_token) -> Result<std::unique_ptr<Launcher>> {
          return std::unique_ptr<Launcher>(std::move(new_cluster_));
        }}}};

  ApplicationDependencies Get() {
    return {
        .clock = clock,
        .host = host,
        .launchers = launchers,
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
