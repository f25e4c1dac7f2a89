#include "linux/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "support/file.h"

namespace mete {
namespace {

// Runs `act` in a confined child and returns its status as from waitpid(2).
int ConfinedStatus(const Confinement& confinement,
                   const std::function<int()>& act) {
  pid_t child = fork();
  if (child == 0) {
    if (!ConfineThisProcess(confinement).ok()) _exit(99);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Confine, LeavesNoCoreAndNoNewPrivileges) {
  int status = ConfinedStatus({}, [] {
    rlimit core{};
    getrlimit(RLIMIT_CORE, &core);
    const bool confined = core.rlim_max == 0 &&
                          prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
                          prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
    return confined ? 0 : 1;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confine, OnlyReadingAndComputingAreLeft) {
#if !defined(__x86_64__) && !defined(__aarch64__)
  GTEST_SKIP() << "there is no filter for this architecture";
#endif
  ScratchFolder folder = *ScratchFolder::Create();
  const std::string file = (folder.path() / "f").string();
  ASSERT_TRUE(WriteFileAtomically(file, "text").ok());
  int status = ConfinedStatus({}, [&file] {
    auto denied = [](long result) { return result == -1 && errno == EPERM; };
    if (!denied(socket(AF_INET, SOCK_STREAM, 0))) return 1;
    if (!denied(socket(AF_UNIX, SOCK_STREAM, 0))) return 2;
    if (!denied(fork())) return 3;
    if (!denied(execl("/bin/true", "true", nullptr))) return 4;
    if (!denied(kill(getppid(), 0))) return 5;
    if (!denied(open(file.c_str(), O_WRONLY | O_CLOEXEC))) return 6;
    if (!denied(open((file + "2").c_str(), O_CREAT | O_RDWR, 0600))) return 7;
    if (!denied(unlink(file.c_str()))) return 8;
    if (!denied(rename(file.c_str(), (file + "2").c_str()))) return 9;
    char byte = 0;
    int reading = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (reading < 0 || read(reading, &byte, 1) != 1) return 10;
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confine, MoreMemoryIsNotToBeHad) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs the address space";
#endif
  int status = ConfinedStatus({.memory = Gibibytes(1)}, [] {
    void* small = malloc(size_t{1} << 20);
    void* large = malloc(size_t{2} << 30);
    return small != nullptr && large == nullptr ? 0 : 1;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confine, TooMuchCpuTimeKillsTheProcess) {
  int status = ConfinedStatus({.cpu = std::chrono::seconds(1)}, [] {
    volatile uint64_t count = 0;
    while (true) count = count + 1;
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXCPU);
}

TEST(Confine, SetsEveryLimitThatWasRequested) {
  int status = ConfinedStatus(
      {.cpu = std::chrono::seconds(7), .largest_file = Bytes{4096}}, [] {
        rlimit cpu{};
        rlimit file{};
        getrlimit(RLIMIT_CPU, &cpu);
        getrlimit(RLIMIT_FSIZE, &file);
        if (cpu.rlim_cur != 7 || cpu.rlim_max != 8) return 1;
        if (file.rlim_cur != 4096 || file.rlim_max != 4096) return 2;
        return 0;
      });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confine, ATighterLimitStays) {
  pid_t child = fork();
  if (child == 0) {
    rlimit tighter{.rlim_cur = 4, .rlim_max = 5};
    setrlimit(RLIMIT_CPU, &tighter);
    if (!ConfineThisProcess({.cpu = std::chrono::seconds(10)}).ok()) _exit(99);
    rlimit now{};
    getrlimit(RLIMIT_CPU, &now);
    _exit(now.rlim_cur == 5 && now.rlim_max == 5 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

#if defined(__x86_64__) && !defined(__ILP32__)
TEST(Confine, TheSecondSetOfCallNumbersKillsTheProcess) {
  int status = ConfinedStatus({}, [] {
    syscall(0x40000000 + SYS_getpid);
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), SIGSYS);
}
#endif

}  // namespace
}  // namespace mete
