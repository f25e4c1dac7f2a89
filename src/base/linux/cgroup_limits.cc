#include "linux/cgroup_limits.h"

#include <array>
#include <string>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {

std::optional<Bytes> ParseMemoryLimit(std::string_view text) {
  // cgroup v1 reports "no limit" as the largest multiple of the page size.
  constexpr uint64_t kNoLimit = uint64_t{1} << 62;
  auto limit = FirstNumber(text);
  if (!limit || *limit >= kNoLimit) return std::nullopt;
  return Bytes{*limit};
}

std::optional<double> ParseCores(std::string_view cpu_max) {
  constexpr uint64_t kUsualPeriod = 100000;
  std::array<std::string_view, 2> words;
  const size_t found = FirstWords(cpu_max, words);
  if (found == 0) return std::nullopt;
  auto quota = WholeNumber(words[0]);  // no limit: "max" or "-1"
  auto period = found == 2 ? WholeNumber(words[1]) : kUsualPeriod;
  if (!quota || *quota == 0 || !period || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

CgroupLimits ReadLimits(CgroupFiles& files) {
  CgroupLimits limits;
  auto text = [&](CgroupPart part, const char* name) {
    return files.Text(part, name).value_or(std::string_view());
  };
  if (int version = files.VersionFor(CgroupPart::kMemory); version != 0) {
    limits.memory = ParseMemoryLimit(
        text(CgroupPart::kMemory,
             version == 1 ? "memory.limit_in_bytes" : "memory.max"));
  }
  if (int version = files.VersionFor(CgroupPart::kCpu); version == 2) {
    limits.cores = ParseCores(text(CgroupPart::kCpu, "cpu.max"));
  } else if (version == 1) {
    std::string quota(text(CgroupPart::kCpu, "cpu.cfs_quota_us"));
    quota += ' ';
    quota += text(CgroupPart::kCpu, "cpu.cfs_period_us");
    limits.cores = ParseCores(quota);
  }
  return limits;
}

}  // namespace mete
