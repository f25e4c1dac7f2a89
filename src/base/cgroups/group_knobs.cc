#include "cgroups/group_knobs.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "cgroups/group_folders.h"
#include "cgroups/group_limits.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

using std::filesystem::path;

// A quota and its period in microseconds; a negative quota means none.
struct Quota {
  double quota = -1;
  double period = static_cast<double>(kDefaultQuotaPeriod.count());
};

std::optional<double> Number(std::string_view text) {
  double value = 0;
  auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = rest == text.data() + text.size();
  return error == std::errc() && whole ? std::optional(value) : std::nullopt;
}

Result<std::string> Word(const SystemRoot& root, const path& file) {
  ASSIGN_OR_RETURN(std::string text, root.Text(file));
  return std::string(Trimmed(text));
}

Result<double> NumberIn(const SystemRoot& root, const path& file) {
  ASSIGN_OR_RETURN(std::string text, Word(root, file));
  auto number = Number(text);
  if (number) return *number;
  return Corrupt(fmt::format("read {}: '{}'", file.string(), text));
}

Result<Quota> ReadQuota(const SystemRoot& root, const CgroupFolder& group) {
  Quota quota;
  if (group.version == 1) {
    ASSIGN_OR_RETURN(quota.quota,
                     NumberIn(root, group.folder / "cpu.cfs_quota_us"));
    ASSIGN_OR_RETURN(quota.period,
                     NumberIn(root, group.folder / "cpu.cfs_period_us"));
    return quota;
  }
  ASSIGN_OR_RETURN(std::string text, Word(root, group.folder / "cpu.max"));
  auto parts = SplitAt(text, ' ');  // "max 100000", "20000 100000"
  if (auto number = Number(parts.front())) quota.quota = *number;
  if (parts.size() > 1) quota.period = Number(parts[1]).value_or(quota.period);
  return quota;
}

// Memory that the kernel cannot simply reclaim from the members.
std::optional<double> FirmUsage(const SystemRoot& root, const path& folder) {
  auto current = NumberIn(root, folder / "memory.current");
  if (!current.ok()) return std::nullopt;
  auto files =
      CopyField(root.TextOrNone(folder / "memory.stat"), "inactive_file", ' ');
  return *current - (files ? Number(*files).value_or(0) : 0);
}

}  // namespace

Result<std::optional<double>> ReadCpuQuota(const SystemRoot& root,
                                           const CgroupFolder& group) {
  ASSIGN_OR_RETURN(Quota quota, ReadQuota(root, group));
  if (quota.quota < 0 || quota.period <= 0) return std::optional<double>();
  return std::optional(quota.quota / quota.period);
}

Status WriteCpuQuota(const SystemRoot& root, const CgroupFolder& group,
                     std::optional<double> cpus) {
  ASSIGN_OR_RETURN(Quota now, ReadQuota(root, group));
  const path folder = root.Locate(group.folder);
  const auto quota = cpus ? std::llround(*cpus * now.period) : -1;
  if (cpus && quota < kShortestQuota.count()) {
    return InvalidInput(
        fmt::format("{:.4g} CPUs: the kernel's minimum is {:.4g}", *cpus,
                    static_cast<double>(kShortestQuota.count()) / now.period));
  }
  if (group.version == 1) {
    return WriteControl(folder / "cpu.cfs_quota_us", std::to_string(quota));
  }
  return WriteControl(
      folder / "cpu.max",
      fmt::format("{} {:.0f}", cpus ? std::to_string(quota) : "max",
                  now.period));
}

Result<std::optional<double>> ReadMemoryMax(const SystemRoot& root,
                                            const CgroupFolder& group) {
  if (group.version == 2) {
    ASSIGN_OR_RETURN(std::string text, Word(root, group.folder / "memory.max"));
    return Number(text);  // "max" means no limit
  }
  ASSIGN_OR_RETURN(double limit,
                   NumberIn(root, group.folder / "memory.limit_in_bytes"));
  // No limit shows as the largest whole number of pages.
  if (limit >= 0x1p62) return std::optional<double>();
  return std::optional(limit);
}

Status WriteMemoryMax(const SystemRoot& root, const CgroupFolder& group,
                      std::optional<double> bytes) {
  const path folder = root.Locate(group.folder);
  if (group.version == 1) {
    // cgroup v1 itself rejects a limit that would kill members.
    return WriteControl(folder / "memory.limit_in_bytes",
                        bytes ? fmt::format("{:.0f}", *bytes) : "-1");
  }
  auto used = FirmUsage(root, group.folder);
  if (bytes && used && *used > *bytes) {
    return InvalidInput(
        fmt::format("a limit of {} would kill members, which use {}",
                    FormatBytes(Bytes{static_cast<uint64_t>(*bytes)}),
                    FormatBytes(Bytes{static_cast<uint64_t>(*used)})));
  }
  return WriteControl(folder / "memory.max",
                      bytes ? fmt::format("{:.0f}", *bytes) : "max");
}

Result<bool> ReadFrozen(const SystemRoot& root, const CgroupFolder& group) {
  const bool first = group.version == 1;
  ASSIGN_OR_RETURN(
      std::string text,
      Word(root, group.folder / (first ? "freezer.state" : "cgroup.freeze")));
  return first ? text != "THAWED" : text == "1";
}

Status WriteFrozen(const SystemRoot& root, const CgroupFolder& group,
                   bool frozen) {
  const path folder = root.Locate(group.folder);
  if (group.version == 1) {
    return WriteControl(folder / "freezer.state", frozen ? "FROZEN" : "THAWED");
  }
  return WriteControl(folder / "cgroup.freeze", frozen ? "1" : "0");
}

}  // namespace mete
