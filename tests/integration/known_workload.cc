// A workload with known cost, for tests of measurements.
//
//   known_workload burn MILLISECONDS     of CPU time
//   known_workload touch MEBIBYTES       holds them for 100 ms
//   known_workload hold MEBIBYTES        holds them for an hour
//   known_workload sleep MILLISECONDS
//   known_workload map FILE              reads it through a mapping
//   known_workload write FILE            20 MiB, until they are on storage
//   known_workload tree MILLISECONDS     four processes burn this much each
//   known_workload background FILE       leaves a process that left its session
//                                        and parent; its pid goes to FILE
//   known_workload stubborn              ignores SIGTERM, sleeps for an hour
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

int Burn(long milliseconds) {
  volatile double sum = 0;
  // Do not count what the process used before exec.
  double start = CpuSeconds();
  while ((CpuSeconds() - start) * 1000 < static_cast<double>(milliseconds)) {
    for (int i = 0; i < 1000; ++i) sum = sum + i;
  }
  return 0;
}

int Touch(long mebibytes, useconds_t hold = 100'000) {
  auto size = static_cast<size_t>(mebibytes) << 20;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  auto* bytes = static_cast<volatile char*>(memory);
  for (size_t at = 0; at < size; at += 4096) bytes[at] = 1;
  usleep(hold);
  return 0;
}

int Map(const char* file) {
  int opened = open(file, O_RDONLY);
  off_t end = lseek(opened, 0, SEEK_END);
  if (end <= 0) return 1;
  auto size = static_cast<size_t>(end);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, opened, 0);
  if (memory == MAP_FAILED) return 1;
  unsigned long sum = 0;
  for (size_t at = 0; at < size; at += 4096) {
    sum += static_cast<volatile const unsigned char*>(memory)[at];
  }
  usleep(300'000);
  return sum == 0 ? 1 : 0;
}

int Write(const char* file) {
  int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::string block(1u << 20, 'x');
  for (int i = 0; i < 20; ++i) {
    if (write(opened, block.data(), block.size()) !=
        static_cast<ssize_t>(block.size())) {
      return 1;
    }
  }
  return fsync(opened) == 0 ? 0 : 1;
}

// Starts a child, a grandchild and a second child.
int Tree(long milliseconds) {
  if (fork() == 0) {
    if (fork() == 0) _exit(Burn(milliseconds));
    Burn(milliseconds);
    wait(nullptr);
    _exit(0);
  }
  if (fork() == 0) _exit(Burn(milliseconds));
  Burn(milliseconds);
  while (wait(nullptr) > 0) {
  }
  return 0;
}

int Background(const char* file) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    // Write another file and rename it, so that the file is never incomplete.
    std::string draft = std::string(file) + ".draft";
    FILE* out = fopen(draft.c_str(), "w");
    if (out == nullptr) _exit(1);
    fprintf(out, "%d\n", getpid());
    fclose(out);
    if (rename(draft.c_str(), file) != 0) _exit(1);
    signal(SIGTERM, SIG_IGN);
    sleep(3600);
    _exit(0);
  }
  wait(nullptr);
  while (access(file, F_OK) != 0) usleep(1000);
  return 0;
}

int Stubborn() {
  signal(SIGTERM, SIG_IGN);
  sleep(3600);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "stubborn") return Stubborn();
  if (argc < 3) return 2;
  if (what == "background") return Background(argv[2]);
  if (what == "map") return Map(argv[2]);
  if (what == "write") return Write(argv[2]);
  long amount = std::atol(argv[2]);
  if (what == "burn") return Burn(amount);
  if (what == "touch") return Touch(amount);
  if (what == "hold") return Touch(amount, 3'600'000'000);
  if (what == "tree") return Tree(amount);
  if (what == "sleep") return usleep(static_cast<useconds_t>(amount * 1000));
  return 2;
}
