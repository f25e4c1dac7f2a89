// Port: something that runs applications under limits (processes, containers).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "domain/application_figures.h"
#include "domain/container.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// What to run and how.
struct LaunchRequest {
  // Program and arguments. In a container: what follows the image's entry
  // point, or its own command when empty.
  std::vector<std::string> command;
  // Absent: a process of this machine.
  std::optional<ContainerSettings> container;
  PullPolicy pull = PullPolicy::kMissing;  // of the container's image
  // Added to what it gets anyway, or in place of it: mete's own environment, or
  // the image's in a container.
  std::map<std::string, std::string> environment;
  // To start in; empty: where mete runs, or where the image says.
  std::filesystem::path folder;
  Limits limits;
  // Gets what the application writes to stdout and stderr, in order, from a
  // thread of the launcher's own. Must not block for long.
  std::function<void(std::string_view)> output;
};

// What is known of an application once all it needs is there.
struct LaunchFacts {
  // Of an image's configuration: what "the same image" means. Empty: not known.
  std::string sha256;
  EngineVersion engine;  // that runs the container; empty for a process
};

// How the application's first process ended, and what else was read.
struct ProcessEnding {
  std::optional<int> exit_code;
  std::optional<int> signal;  // that ended it, instead of a code
  uint64_t oom_kills = 0;     // processes the kernel ended for the memory limit
  // From its start to its end, by who saw both. Absent: not known better than
  // by watching from outside.
  std::optional<std::chrono::nanoseconds> lifetime;
  std::string evidence;  // where this was read
};

// One application from its start to its end. Calls come from one thread;
// Usage may be called from another at the same time.
class RunningApplication {
 public:
  // Ends what still runs, at once, and leaves nothing behind.
  virtual ~RunningApplication() = default;

  // Waits until the first process has ended, at most this long; true when it
  // has.
  virtual bool Wait(std::chrono::nanoseconds at_most) = 0;
  // Asks every process of the application to end (SIGTERM).
  virtual void Terminate() = 0;
  // Ends every process of the application (SIGKILL), those that moved into
  // the background included, and returns when none is left.
  virtual void Kill() = 0;
  // Totals up to now; after Kill they are final.
  virtual ResourceUsage Usage() = 0;
  // The living processes, as the machine numbers them; none: not known.
  virtual std::vector<int> ProcessIds() const { return {}; }
  // Where that is read: "cgroup v1".
  virtual std::string Accounting() const = 0;
  // To be called after Wait said true, or after Kill.
  virtual ProcessEnding Outcome() = 0;
  // One sentence for each limit that could not be applied or thing that
  // cannot be read.
  virtual const std::vector<std::string>& notes() const = 0;
  // Probes of the application that give nothing here. Not among the notes: on
  // most machines nobody misses them.
  virtual std::vector<AbsentProbe> AbsentProbes() const { return {}; }
};

// One thread at a time; the applications it has started are each on their own.
class Launcher {
 public:
  virtual ~Launcher() = default;
  // Gets what the application needs before it can start, such as its image.
  // `progress` gets one line at a time and may be empty. Fails with kNotFound
  // when something is nowhere to be had, with kUnavailable when `stop` was
  // requested or a registry cannot be reached.
  virtual Result<LaunchFacts> Prepare(
      const LaunchRequest& /*request*/,
      const std::function<void(const std::string&)>& /*progress*/,
      std::stop_token /*stop*/) {
    return LaunchFacts{};
  }
  // Fails with kNotFound or kPermissionDenied when the program cannot be
  // started, with kUnsupported when a limit is refused by the kernel or engine.
  virtual Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) = 0;
};

}  // namespace mete
