// The first process of a user-mode Linux that a test boots: mounts what a
// machine with version 2 control groups has, runs programs, tells how they
// ended, and switches the machine off.
//
// The kernel command line names the programs: METE_UML_TOP those that run in
// the top group, as root on a bare machine, and METE_UML_CONTAINED those that
// each run alone in a group of their own, as in a container. They are separated
// by ';', their arguments by ','.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

void Complain(const std::string& act) {
  std::printf("uml: %s: %s\n", act.c_str(), strerror(errno));
  std::fflush(stdout);
}

void Mount(const std::string& kind, const char* point) {
  if (mount(kind.c_str(), point, kind.c_str(), 0, nullptr) != 0) {
    Complain("mount " + kind);
  }
}

void MakeMachine() {
  Mount("proc", "/proc");
  Mount("sysfs", "/sys");
  Mount("cgroup2", "/sys/fs/cgroup");
  Mount("tmpfs", "/mnt");  // the only place that can be written
  setenv("TMPDIR", "/mnt", 1);
  setenv("HOME", "/mnt", 1);
  setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
}

void Write(const std::string& file, const std::string& value) {
  int opened = open(file.c_str(), O_WRONLY);
  if (opened < 0 || write(opened, value.data(), value.size()) < 0) {
    Complain("write " + file);
  }
  if (opened >= 0) close(opened);
}

// As an engine of containers does it: all controllers, one process, and nothing
// to be seen of the groups above.
void EnterOwnGroup() {
  const std::string top = "/sys/fs/cgroup/";
  const std::string own = top + "contained-" + std::to_string(getpid());
  Write(top + "cgroup.subtree_control", "+memory +cpu +pids");
  if (mkdir(own.c_str(), 0755) != 0) Complain("create " + own);
  Write(own + "/cgroup.procs", "0");
  if (unshare(CLONE_NEWCGROUP | CLONE_NEWNS) != 0) Complain("unshare");
  mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  umount2("/sys/fs/cgroup", MNT_DETACH);
  Mount("cgroup2", "/sys/fs/cgroup");
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

// The exit code, or 128 and more for a signal.
int RunProgram(std::vector<std::string> command, void (*prepare)()) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = fork();
  if (pid == 0) {
    prepare();
    execv(arguments[0], arguments.data());
    Complain("start " + command[0]);
    _exit(127);
  }
  // Whatever else ends is reaped on the way: this is process 1.
  int status = 0;
  while (waitpid(-1, &status, 0) != pid) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int RunAll(const char* variable, void (*prepare)()) {
  const char* programs = std::getenv(variable);
  int worst = 0;
  for (const std::string& program :
       Split(programs == nullptr ? "" : programs, ';')) {
    int code = RunProgram(Split(program, ','), prepare);
    std::printf("uml: %s ended with %d\n", program.c_str(), code);
    if (code != 0) worst = code;
  }
  return worst;
}

}  // namespace

int main() {
  MakeMachine();
  // In this order: those at the top find no controller passed on yet.
  int top = RunAll("METE_UML_TOP", [] {});
  int contained = RunAll("METE_UML_CONTAINED", EnterOwnGroup);
  std::printf("uml: result %d\n", top != 0 ? top : contained);
  std::fflush(stdout);
  sync();
  reboot(RB_POWER_OFF);
  return 1;
}
