// A small process between mete and an application: it adopts whatever the
// application leaves behind, so that the whole tree can be accounted and ended,
// even when mete itself dies.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cgroups/control_group.h"
#include "linux/cpu_affinity.h"
#include "machine/process_user.h"
#include "support/descriptor.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Everything the application's first process needs, prepared before fork:
// nothing may be allocated between fork and exec.
struct KeptProgram {
  std::vector<std::string> arguments;      // the first is searched in PATH
  std::vector<std::string> environment;    // "NAME=value", complete
  std::string folder;                      // empty: do not change
  std::vector<Descriptor> groups;          // cgroup.procs files to write to
  std::vector<std::string> group_folders;  // removed if mete dies
  CpuCounter cpu_counter;                  // of the cgroup; may be closed
  CpuMask pin;                             // empty: any CPU
  std::optional<ProcessUser> user{};       // absent: do not change
  Descriptor output;                       // becomes stdout and stderr
  Descriptor input;                        // becomes stdin; not open: no input
  // Called in mete with the keeper's pid before the keeper starts the program:
  // set up here what must observe the program from its beginning.
  std::function<void(pid_t)> before_start;
};

// A message of the keeper, in its binary form in the pipe.
struct KeeperReport {
  enum class Kind : int {
    kForked,  // the first process exists, but is not the program yet
    kStarted,
    kNotStarted,
    kFirstEnded,
    kAllEnded
  };
  enum class Step : int { kNone, kEnterGroup, kPin, kUser, kFolder, kExecute };
  Kind kind = Kind::kStarted;
  pid_t first = 0;  // the application's first process
  int status = 0;   // as from wait(2)
  int error = 0;    // errno of the step that failed
  Step step = Step::kNone;
  // From exec to the end of the first process; only set for kFirstEnded.
  int64_t lifetime_nanoseconds = 0;
  // Of all processes that were waited for; in kStarted, of the first process
  // before exec.
  rusage usage{};
  // CPU time of the cgroup before exec; absent: -1. Only set for kStarted.
  int64_t group_cpu_nanoseconds = -1;
  // Largest resident size of the first process before exec, when it is a copy
  // of mete: `usage` cannot show a smaller one. Only set for kStarted.
  int64_t copy_kilobytes = 0;
};

Seconds ToSeconds(const timeval& time);

// CPU time before the program started, when its first process was a copy of
// mete that joined its cgroups. It belongs to nobody's program.
struct CpuBeforeStart {
  Seconds user{0};
  Seconds system{0};
  Seconds group{0};  // as counted by the cgroup
};

// What waiting for a report brought.
enum class KeeperNews {
  kReport,
  kNothing,  // none came in time
  kEnded,    // the keeper is gone, so no other report will come
};

// The keeper as seen by its parent. The keeper is the reaper of all descendants
// (prctl PR_SET_CHILD_SUBREAPER). It kills them on request or when the command
// pipe closes, which happens when mete dies. If the keeper itself is killed,
// the first process dies with it; the caller must look for the others.
class Keeper {
 public:
  // Fails with kNotFound, kPermissionDenied or kUnsupported when the program
  // could not be started; then no process remains.
  static Result<Keeper> Start(KeptProgram program);
  Keeper(Keeper&&) = default;
  Keeper& operator=(Keeper&&) = delete;
  // Kills everything and waits for the keeper.
  ~Keeper();

  pid_t pid() const { return pid_; }
  pid_t first() const { return first_; }
  // Peaks in the usage up to this one may be those of mete's own image.
  int64_t copy_kilobytes() const { return copy_kilobytes_; }
  const CpuBeforeStart& cpu_before_start() const { return cpu_before_start_; }

  // Waits for the next report; kAllEnded is the last one.
  KeeperNews NextReport(std::chrono::nanoseconds at_most, KeeperReport& report);
  // Kills every descendant of the keeper with SIGKILL; reports follow.
  void KillAll();

 private:
  Keeper(pid_t pid, Descriptor commands, Descriptor reports)
      : pid_(pid),
        commands_(std::move(commands)),
        reports_(std::move(reports)) {}
  Status AwaitStart(const KeptProgram& program);
  void Send(char command);

  pid_t pid_;
  pid_t first_ = 0;
  int64_t copy_kilobytes_ = 0;
  CpuBeforeStart cpu_before_start_;
  Descriptor commands_;
  Descriptor reports_;
};

// The environment of this process, "NAME=value" each.
std::vector<std::string> OwnEnvironment();

}  // namespace mete
