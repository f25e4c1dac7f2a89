#include "linux/confine.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "linux/deny_calls.h"

namespace mete {
namespace {

// The sanitizers reserve terabytes of address space for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kAddressSpaceIsOurs = false;
#else
constexpr bool kAddressSpaceIsOurs = true;
#endif

template <typename Resource>
Status Limit(Resource resource, uint64_t soft, uint64_t hard) {
  rlimit limits{.rlim_cur = soft, .rlim_max = hard};
  rlimit now{};
  // Without privileges a limit can only be lowered.
  if (getrlimit(resource, &now) == 0 && now.rlim_max < hard) {
    limits = {.rlim_cur = std::min<rlim_t>(soft, now.rlim_max),
              .rlim_max = now.rlim_max};
  }
  if (setrlimit(resource, &limits) == 0) return {};
  return SystemError("limit this process", errno);
}

}  // namespace

Status ConfineThisProcess(const Confinement& confinement) {
  if (kAddressSpaceIsOurs) {
    RETURN_IF_ERROR(
        Limit(RLIMIT_AS, confinement.memory.count, confinement.memory.count));
  }
  const auto cpu = static_cast<uint64_t>(confinement.cpu.count());
  RETURN_IF_ERROR(Limit(RLIMIT_CPU, cpu, cpu + 1));
  RETURN_IF_ERROR(Limit(RLIMIT_FSIZE, confinement.largest_file.count,
                        confinement.largest_file.count));
  RETURN_IF_ERROR(Limit(RLIMIT_CORE, 0, 0));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    return SystemError("limit this process", errno);
  }
  return DenyDangerousCalls();
}

}  // namespace mete
