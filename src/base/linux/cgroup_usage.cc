#include "linux/cgroup_usage.h"

#include <algorithm>
#include <utility>

#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// The files of one part of a cgroup.
struct Folder {
  CgroupFiles& files;
  CgroupPart part;

  std::string_view Text(const char* name) const {
    return files.Text(part, name).value_or(std::string_view());
  }
  std::optional<uint64_t> Count(const char* name) const {
    return FirstNumber(Text(name));
  }
};

// What is left of `whole` without `part`; counters read at different moments
// may cross.
std::optional<Bytes> Without(std::optional<uint64_t> whole,
                             std::optional<uint64_t> part) {
  if (!whole || !part) return std::nullopt;
  return Bytes{*whole - std::min(*whole, *part)};
}

std::optional<Bytes> Together(std::optional<uint64_t> one,
                              std::optional<uint64_t> other) {
  if (!one || !other) return std::nullopt;
  return Bytes{*one + *other};
}

// Uses the sums that include descendant cgroups where the kernel has them.
void AddDetailsV1(const Folder& folder, CgroupMemory& memory) {
  std::optional<uint64_t> swap, inactive, own_swap, own_inactive;
  std::optional<uint64_t> faults, major;
  std::optional<uint64_t> cache, rss, shmem, own_cache, own_rss, own_shmem;
  const RequestedCounter requested[] = {{"cache", &own_cache},
                                        {"rss", &own_rss},
                                        {"shmem", &own_shmem},
                                        {"swap", &own_swap},
                                        {"pgfault", &memory.page_faults},
                                        {"pgmajfault", &memory.major_faults},
                                        {"inactive_file", &own_inactive},
                                        {"total_cache", &cache},
                                        {"total_rss", &rss},
                                        {"total_shmem", &shmem},
                                        {"total_swap", &swap},
                                        {"total_pgfault", &faults},
                                        {"total_pgmajfault", &major},
                                        {"total_inactive_file", &inactive}};
  ReadCounters(folder.Text("memory.stat"), requested);
  memory.swap = ToBytes(swap ? swap : own_swap);
  memory.inactive_file = ToBytes(inactive ? inactive : own_inactive);
  if (faults) memory.page_faults = faults;
  if (major) memory.major_faults = major;
  if (!cache) cache = own_cache;
  if (!rss) rss = own_rss;
  if (!shmem) shmem = own_shmem;
  memory.anonymous = Together(rss, shmem);
  memory.file = Without(cache, shmem);
  memory.kernel = ToBytes(folder.Count("memory.kmem.usage_in_bytes"));
}

void AddDetailsV2(const Folder& folder, CgroupMemory& memory) {
  memory.swap = ToBytes(folder.Count("memory.swap.current"));
  std::optional<uint64_t> inactive, anon, file, kernel, shmem;
  const RequestedCounter requested[] = {{"anon", &anon},
                                        {"file", &file},
                                        {"kernel", &kernel},  // Linux 5.18
                                        {"shmem", &shmem},
                                        {"inactive_file", &inactive},
                                        {"pgfault", &memory.page_faults},
                                        {"pgmajfault", &memory.major_faults}};
  ReadCounters(folder.Text("memory.stat"), requested);
  memory.inactive_file = ToBytes(inactive);
  memory.anonymous = Together(anon, shmem);
  memory.file = Without(file, shmem);
  memory.kernel = ToBytes(kernel);
}

void AddTimeByModeV1(const Folder& folder, CgroupCpu& cpu) {
  const std::string_view stat = folder.Text("cpuacct.stat");
  cpu.user = ToTime(FindCounter(stat, "user"), kClockTick);
  cpu.system = ToTime(FindCounter(stat, "system"), kClockTick);
}

void AddTimeV2(std::string_view stat, CgroupCpu& cpu) {
  cpu.total = ToTime(FindCounter(stat, "usage_usec"), microseconds(1));
  cpu.user = ToTime(FindCounter(stat, "user_usec"), microseconds(1));
  cpu.system = ToTime(FindCounter(stat, "system_usec"), microseconds(1));
}

void AddThrottling(int version, std::string_view stat, CgroupCpu& cpu) {
  cpu.periods = FindCounter(stat, "nr_periods");
  cpu.throttled_periods = FindCounter(stat, "nr_throttled");
  cpu.throttled =
      version == 1
          ? ToTime(FindCounter(stat, "throttled_time"), nanoseconds(1))
          : ToTime(FindCounter(stat, "throttled_usec"), microseconds(1));
}

// The values that ReadTime does not read.
void ReadTimeDetails(CgroupFiles& files, CgroupCpu& cpu) {
  const bool reported = files.VersionFor(CgroupPart::kCpuacct) == 2;
  const int throttling = files.VersionFor(CgroupPart::kCpu);
  if (files.VersionFor(CgroupPart::kCpuacct) == 1) {
    AddTimeByModeV1({files, CgroupPart::kCpuacct}, cpu);
  }
  if (throttling == 1 || (throttling == 2 && !reported)) {
    AddThrottling(throttling, Folder{files, CgroupPart::kCpu}.Text("cpu.stat"),
                  cpu);
  }
}

std::optional<uint64_t> ReadTasks(CgroupFiles& files) {
  if (files.VersionFor(CgroupPart::kPids) == 0) return std::nullopt;
  return Folder{files, CgroupPart::kPids}.Count("pids.current");
}

// An unreadable summand makes the sum unknown.
void Add(std::optional<uint64_t> count, std::optional<Bytes>& sum) {
  if (!count || !sum) {
    sum = std::nullopt;
  } else {
    sum->count += *count;
  }
}

// "8:0 Read 4096", "8:0 Write 0", …, at the end "Total 4096".
void AddIoV1(std::string_view text, StorageDevices& devices, CgroupIo& io) {
  bool listed = false;
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 3> words;
    if (FirstWords(*line, words) < 3 || !devices.Has(words[0])) continue;
    listed = true;
    if (words[1] == "Read") Add(WholeNumber(words[2]), io.read);
    if (words[1] == "Write") Add(WholeNumber(words[2]), io.written);
  }
  // Nothing was transferred, or the kernel does not count here.
  if (!listed) io = {};
}

// "8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0".
void AddIoV2(std::string_view text, StorageDevices& devices, CgroupIo& io) {
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 7> words;
    if (FirstWords(*line, words) == 0 || !devices.Has(words[0])) continue;
    for (std::string_view word : words) {
      const std::string_view key = word.substr(0, 7);
      if (key == "rbytes=") Add(NumberAfter(word, key), io.read);
      if (key == "wbytes=") Add(NumberAfter(word, key), io.written);
    }
  }
}

// Under cgroup v2, a cgroup without any I/O has an empty file.
CgroupIo ReadIo(CgroupFiles& files, StorageDevices& devices) {
  const bool old = files.VersionFor(CgroupPart::kBlkio) == 1;
  constexpr const char* kOwn = "blkio.throttle.io_service_bytes";
  constexpr const char* kAll = "blkio.throttle.io_service_bytes_recursive";
  auto text = files.Text(CgroupPart::kBlkio, old ? kAll : "io.stat");
  if (!text && old) text = files.Text(CgroupPart::kBlkio, kOwn);
  if (!text) return {};
  CgroupIo io{.read = Bytes{0}, .written = Bytes{0}};
  (old ? AddIoV1 : AddIoV2)(*text, devices, io);
  return io;
}

}  // namespace

// Under cgroup v2 the same file also has throttling.
void ReadTime(CgroupFiles& files, CgroupUsage& usage) {
  const Folder folder{files, CgroupPart::kCpuacct};
  const int version = files.VersionFor(folder.part);
  usage.cpu.total.reset();
  if (version == 1) {
    usage.cpu.total = ToTime(folder.Count("cpuacct.usage"), nanoseconds(1));
  } else if (version == 2) {
    const std::string_view stat = folder.Text("cpu.stat");
    AddTimeV2(stat, usage.cpu);
    if (files.VersionFor(CgroupPart::kCpu) == 2) {
      AddThrottling(2, stat, usage.cpu);
    }
  }
}

void ReadMemoryInUse(CgroupFiles& files, CgroupUsage& usage) {
  const Folder folder{files, CgroupPart::kMemory};
  const int version = files.VersionFor(folder.part);
  usage.memory.current.reset();
  if (version == 0) return;
  usage.memory.current = ToBytes(
      folder.Count(version == 1 ? "memory.usage_in_bytes" : "memory.current"));
}

void ReadDetails(CgroupFiles& files, StorageDevices& devices,
                 CgroupUsage& usage) {
  ReadTimeDetails(files, usage.cpu);
  usage.tasks = ReadTasks(files);
  if (int version = files.VersionFor(CgroupPart::kMemory); version != 0) {
    // Values that are no longer reported become absent.
    usage.memory = {.current = usage.memory.current,
                    .peak = usage.memory.peak,
                    .oom_kills = usage.memory.oom_kills};
    const Folder folder{files, CgroupPart::kMemory};
    (version == 1 ? AddDetailsV1 : AddDetailsV2)(folder, usage.memory);
  }
  if (files.VersionFor(CgroupPart::kBlkio) != 0) {
    usage.io = ReadIo(files, devices);
  }
  if (files.VersionFor(CgroupPart::kPressure) != 0) {
    const Folder folder{files, CgroupPart::kPressure};
    usage.pressure = {.cpu = ParsePressure(folder.Text("cpu.pressure")),
                      .memory = ParsePressure(folder.Text("memory.pressure")),
                      .io = ParsePressure(folder.Text("io.pressure"))};
  }
}

void ReadSeldom(CgroupFiles& files, CgroupUsage& usage) {
  const Folder folder{files, CgroupPart::kMemory};
  const int version = files.VersionFor(folder.part);
  if (version == 0) return;
  const bool old = version == 1;
  usage.memory.peak =
      ToBytes(folder.Count(old ? "memory.max_usage_in_bytes" : "memory.peak"));
  usage.memory.oom_kills = FindCounter(
      folder.Text(old ? "memory.oom_control" : "memory.events"), "oom_kill");
}

CgroupUsage ReadUsage(CgroupFiles& files, StorageDevices& devices) {
  CgroupUsage usage;
  ReadTime(files, usage);
  ReadMemoryInUse(files, usage);
  ReadDetails(files, devices, usage);
  ReadSeldom(files, usage);
  return usage;
}

CgroupReader::CgroupReader(const SystemRoot& root, const CgroupPaths& paths)
    : devices_(root) {
  auto add = [&](CgroupPart part, const std::optional<CgroupFolder>& group) {
    if (!group) return;
    parts_[static_cast<size_t>(part)].emplace(
        Part{group->version, WatchedFolder(root, group->folder)});
  };
  add(CgroupPart::kMemory, paths.memory);
  add(CgroupPart::kCpu, paths.cpu);
  add(CgroupPart::kCpuacct, paths.cpuacct);
  add(CgroupPart::kPids, paths.pids);
  add(CgroupPart::kBlkio, paths.blkio);
  if (paths.unified)
    add(CgroupPart::kPressure, CgroupFolder{2, *paths.unified});
}

int CgroupReader::VersionFor(CgroupPart part) const {
  const auto& found = parts_[static_cast<size_t>(part)];
  return found ? found->version : 0;
}

std::optional<std::string_view> CgroupReader::Text(CgroupPart part,
                                                   std::string_view name) {
  auto& found = parts_[static_cast<size_t>(part)];
  return found ? found->folder.File(name).Text() : std::nullopt;
}

std::vector<nanoseconds> CgroupReader::PerCore() {
  std::vector<nanoseconds> times;
  if (VersionFor(CgroupPart::kCpuacct) != 1) return times;
  const Folder folder{*this, CgroupPart::kCpuacct};
  for (std::string_view word :
       SplitFields(folder.Text("cpuacct.usage_percpu"))) {
    auto time = ToTime(WholeNumber(word), nanoseconds(1));
    // A gap would shift the numbers of the cores after it.
    if (!time) return {};
    times.push_back(*time);
  }
  return times;
}

CgroupUsage CgroupReader::Read() {
  CgroupUsage usage = ReadUsage(*this, devices_);
  usage.cpu.per_core = PerCore();
  return usage;
}

CgroupUsage ReadCgroupUsage(const SystemRoot& root, const CgroupPaths& paths) {
  return CgroupReader(root, paths).Read();
}

}  // namespace mete
