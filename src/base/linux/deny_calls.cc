#include "linux/deny_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

namespace mete {
namespace {

// Calls that a reader of files never needs.
constexpr int kDenied[] = {
    // the network, and anything that could do work in our name
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_sendto,
    __NR_sendmsg,
    __NR_sendmmsg,
    __NR_io_uring_setup,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_keyctl,
    __NR_userfaultfd,
    // programs and processes
    __NR_execve,
    __NR_execveat,
    __NR_clone,
    __NR_clone3,
    __NR_kill,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_pidfd_open,
    __NR_unshare,
    __NR_setns,
    __NR_mount,
    __NR_umount2,
    __NR_chroot,
    // other files
    __NR_openat2,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_linkat,
    __NR_symlinkat,
    __NR_mkdirat,
    __NR_mknodat,
    __NR_fchmodat,
    __NR_fchownat,
    __NR_truncate,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __NR_open  // x86 also has the older calls
    __NR_open,
    __NR_creat,
    __NR_fork,
    __NR_vfork,
    __NR_unlink,
    __NR_rename,
    __NR_link,
    __NR_symlink,
    __NR_mkdir,
    __NR_rmdir,
    __NR_mknod,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
#endif
};

// The architecture whose numbers these are. Absent: not known here.
std::optional<uint32_t> Architecture() {
#if defined(__x86_64__) && !defined(__ILP32__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return std::nullopt;
#endif
}

sock_filter Do(uint16_t code, uint32_t value) {
  return {.code = code, .jt = 0, .jf = 0, .k = value};
}
// Skips `then` instructions if the comparison holds, otherwise `otherwise`.
sock_filter If(uint16_t comparison, uint32_t value, uint8_t then,
               uint8_t otherwise) {
  return {.code = static_cast<uint16_t>(BPF_JMP | comparison | BPF_K),
          .jt = then,
          .jf = otherwise,
          .k = value};
}

std::vector<sock_filter> MakeFilter(uint32_t architecture) {
  constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr uint16_t kReturn = BPF_RET | BPF_K;
  constexpr uint32_t kDeny = SECCOMP_RET_ERRNO | EPERM;
  // x86 has a second set of numbers, which only the kernel understands as such.
  constexpr uint32_t kOtherNumbers = 0x40000000;
  constexpr uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  std::vector<sock_filter> filter = {Do(kLoad, offsetof(seccomp_data, arch)),
                                     If(BPF_JEQ, architecture, 1, 0),
                                     Do(kReturn, SECCOMP_RET_KILL_PROCESS),
                                     Do(kLoad, offsetof(seccomp_data, nr)),
                                     If(BPF_JGE, kOtherNumbers, 0, 1),
                                     Do(kReturn, SECCOMP_RET_KILL_PROCESS)};
  for (int call : kDenied) {
    filter.push_back(If(BPF_JEQ, static_cast<uint32_t>(call), 0, 1));
    filter.push_back(Do(kReturn, kDeny));
  }
  // Files may be opened, but only for reading.
  filter.push_back(If(BPF_JEQ, __NR_openat, 0, 3));
  filter.push_back(Do(kLoad, offsetof(seccomp_data, args[2])));
  filter.push_back(If(BPF_JSET, kWriting, 0, 1));
  filter.push_back(Do(kReturn, kDeny));
  filter.push_back(Do(kReturn, SECCOMP_RET_ALLOW));
  return filter;
}

}  // namespace

Status DenyDangerousCalls() {
  const auto architecture = Architecture();
  if (!architecture) return {};
  std::vector<sock_filter> filter = MakeFilter(*architecture);
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0) return {};
  if (errno == EINVAL) return {};  // a kernel without filters
  return SystemError("deny system calls", errno);
}

}  // namespace mete
