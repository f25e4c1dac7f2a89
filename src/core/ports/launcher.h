// Port: runs applications under limits (as processes or containers).
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

#include "domain/application_details.h"
#include "domain/container.h"
#include "domain/run.h"
#include "machine/process_user.h"
#include "support/result.h"

namespace mete {

// What to run and how.
struct LaunchRequest {
  // Program and arguments. In a container: arguments of the image's entry
  // point; empty: the image's own command.
  std::vector<std::string> command;
  // Absent: run as a process of this machine.
  std::optional<ContainerSettings> container;
  PullPolicy pull = PullPolicy::kMissing;  // of the container's image
  // Added to the base environment, overriding it: mete's own environment, or
  // the image's in a container.
  std::map<std::string, std::string> environment;
  // Working folder; empty: mete's own, or the image's.
  std::filesystem::path folder;
  // The user that runs the command; absent: mete's own. Not for containers.
  std::optional<ProcessUser> user{};
  Limits limits;
  // Receives the application's stdout and stderr in order, on a thread of the
  // launcher. Must not block for long.
  std::function<void(std::string_view)> output;
  // Record the files that the application opens; see OpenedFiles.
  bool record_files = false;
  // Node of a cluster to run on; empty: the launcher or its scheduler decides.
  std::string node{};
  std::string run_id{};    // of the run to make; may be empty
  std::stop_token stop{};  // ends a start that has to wait
};

// Where an application ran, if not on this machine.
struct RemotePlace {
  std::string device_id;  // empty: not known
  std::string device_name;
};

// What a launcher found out while it prepared an application.
struct LaunchFacts {
  // Of an image's configuration: what "the same image" means. Empty: not known.
  std::string sha256;
  EngineVersion engine;  // that runs the container; empty for a process
};

// How the application's first process ended, and what the launcher observed.
struct ProcessEnding {
  std::optional<int> exit_code;
  std::optional<int> signal;  // that killed it, instead of a code
  uint64_t oom_kills = 0;     // processes killed at the memory limit
  // From start to end as observed by the launcher. Absent: not known more
  // precisely than by watching from outside.
  std::optional<std::chrono::nanoseconds> lifetime;
  std::string evidence;  // source of this information
  // The outcome, if the launcher knows more than the exit status does.
  std::optional<RunOutcome> proved{};
};

// One application from its start to its end. Not thread-safe, except that Usage
// may be called from another thread.
class RunningApplication {
 public:
  // Kills what is still running and leaves nothing behind.
  virtual ~RunningApplication() = default;

  // Waits for the end of the first process, at most this long. Returns true
  // when it has ended.
  virtual bool Wait(std::chrono::nanoseconds at_most) = 0;
  // Asks every process of the application to end (SIGTERM).
  virtual void Terminate() = 0;
  // Kills every process of the application (SIGKILL), including background
  // processes, and returns when none is left.
  virtual void Kill() = 0;
  // Totals so far; final after Kill.
  virtual ResourceUsage Usage() = 0;
  // Pids of the running processes on this machine; empty: unknown.
  virtual std::vector<int> ProcessIds() const { return {}; }
  // Source of the usage: "cgroup v1".
  virtual std::string Accounting() const = 0;
  // Call it after Wait returned true, or after Kill.
  virtual ProcessEnding Outcome() = 0;
  // One sentence for each limit that could not be applied and each value that
  // cannot be read.
  virtual const std::vector<std::string>& notes() const = 0;
  // The limits of the request that could not be applied.
  virtual std::vector<EnforcedLimit> MissingLimits() const { return {}; }
  // The files the application opened or mapped so far. Absent if they were not
  // to be recorded, or cannot be.
  virtual std::optional<std::vector<std::filesystem::path>> OpenedFiles() {
    return std::nullopt;
  }
  // Absent: on this machine.
  virtual std::optional<RemotePlace> Place() const { return std::nullopt; }
  // Probes of the application that do not work here. Not part of the notes,
  // because most machines lack them.
  virtual std::vector<AbsentProbe> AbsentProbes() const { return {}; }
};

// Starts applications. Not thread-safe; the applications it has started are
// independent.
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
  // The nodes that an application may be sent to. Fails with kUnsupported when
  // it runs on this machine only.
  virtual Result<std::vector<std::string>> Nodes(std::stop_token /*stop*/) {
    return Unsupported("this launcher runs on this machine only");
  }
  // Fails with kNotFound or kPermissionDenied when the program cannot be
  // started, with kUnsupported when the kernel or engine rejects a limit or no
  // node has the resources, with kInterrupted after the request's stop.
  virtual Result<std::unique_ptr<RunningApplication>> Start(
      const LaunchRequest& request) = 0;
};

}  // namespace mete
