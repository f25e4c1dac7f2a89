#include "linux/cgroup_usage.h"

#include <algorithm>
#include <array>

#include "linux/block_devices.h"
#include "linux/numbers.h"
#include "linux/scan.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// The sum over the groups below too, where the kernel offers it.
std::optional<uint64_t> TotalOf(std::string_view stat, const std::string& key) {
  auto total = CounterOf(stat, "total_" + key);
  return total ? total : CounterOf(stat, key);
}

CgroupMemory MemoryV1(WatchedFolder& folder) {
  CgroupMemory memory{
      .current = BytesOf(folder.File("memory.usage_in_bytes").Count()),
      .peak = BytesOf(folder.File("memory.max_usage_in_bytes").Count()),
      .oom_kills = CounterOf(folder.File("memory.oom_control").TextOrNone(),
                             "oom_kill")};
  const std::string_view stat = folder.File("memory.stat").TextOrNone();
  memory.swap = BytesOf(TotalOf(stat, "swap"));
  memory.page_faults = TotalOf(stat, "pgfault");
  memory.major_faults = TotalOf(stat, "pgmajfault");
  return memory;
}

CgroupMemory MemoryV2(WatchedFolder& folder) {
  CgroupMemory memory{
      .current = BytesOf(folder.File("memory.current").Count()),
      .peak = BytesOf(folder.File("memory.peak").Count()),
      .swap = BytesOf(folder.File("memory.swap.current").Count()),
      .oom_kills =
          CounterOf(folder.File("memory.events").TextOrNone(), "oom_kill")};
  const std::string_view stat = folder.File("memory.stat").TextOrNone();
  memory.page_faults = CounterOf(stat, "pgfault");
  memory.major_faults = CounterOf(stat, "pgmajfault");
  return memory;
}

void AddTimeV1(WatchedFolder& folder, CgroupCpu& cpu) {
  cpu.total = TimeOf(folder.File("cpuacct.usage").Count(), nanoseconds(1));
  const std::string_view stat = folder.File("cpuacct.stat").TextOrNone();
  cpu.user = TimeOf(CounterOf(stat, "user"), kClockTick);
  cpu.system = TimeOf(CounterOf(stat, "system"), kClockTick);
  for (std::string_view word :
       WordsOf(folder.File("cpuacct.usage_percpu").TextOrNone())) {
    auto time = TimeOf(WholeNumber(word), nanoseconds(1));
    // A gap would give the later cores wrong numbers.
    if (!time) return cpu.per_core.clear();
    cpu.per_core.push_back(*time);
  }
}

void AddTimeV2(WatchedFolder& folder, CgroupCpu& cpu) {
  const std::string_view stat = folder.File("cpu.stat").TextOrNone();
  cpu.total = TimeOf(CounterOf(stat, "usage_usec"), microseconds(1));
  cpu.user = TimeOf(CounterOf(stat, "user_usec"), microseconds(1));
  cpu.system = TimeOf(CounterOf(stat, "system_usec"), microseconds(1));
}

void AddThrottling(int version, WatchedFolder& folder, CgroupCpu& cpu) {
  const std::string_view stat = folder.File("cpu.stat").TextOrNone();
  cpu.periods = CounterOf(stat, "nr_periods");
  cpu.throttled_periods = CounterOf(stat, "nr_throttled");
  cpu.throttled =
      version == 1 ? TimeOf(CounterOf(stat, "throttled_time"), nanoseconds(1))
                   : TimeOf(CounterOf(stat, "throttled_usec"), microseconds(1));
}

// One unreadable part makes the sum unknown.
void Add(std::optional<uint64_t> count, std::optional<Bytes>& sum) {
  if (!count || !sum) {
    sum = std::nullopt;
  } else {
    sum->count += *count;
  }
}

}  // namespace

CgroupReader::CgroupReader(const SystemRoot& root, const CgroupPaths& paths)
    : root_(root) {
  auto part = [&](const std::optional<CgroupFolder>& group) {
    return group ? std::optional<Part>(
                       {group->version, WatchedFolder(root, group->folder)})
                 : std::nullopt;
  };
  memory_ = part(paths.memory);
  cpu_ = part(paths.cpu);
  cpuacct_ = part(paths.cpuacct);
  pids_ = part(paths.pids);
  blkio_ = part(paths.blkio);
  if (paths.unified) unified_.emplace(root, *paths.unified);
}

// A device that nothing is known of counts. What is once known stays: a device
// number keeps its kind as long as it has bytes of the group.
bool CgroupReader::IsStorage(std::string_view number) {
  auto known = storage_.find(number);
  if (known != storage_.end()) return known->second;
  const std::vector<BlockDevice> devices = ReadBlockDevices(root_);
  const bool storage =
      std::ranges::none_of(devices, [&](const BlockDevice& device) {
        return device.number == number && !device.storage;
      });
  storage_.emplace(number, storage);
  return storage;
}

// "8:0 Read 4096", "8:0 Write 0", …, at the end "Total 4096".
void CgroupReader::AddIoV1(std::string_view text, CgroupIo& io) {
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 3> words;
    if (FirstWords(*line, words) < 3 || !IsStorage(words[0])) continue;
    if (words[1] == "Read") Add(WholeNumber(words[2]), io.read);
    if (words[1] == "Write") Add(WholeNumber(words[2]), io.written);
  }
}

// "8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0".
void CgroupReader::AddIoV2(std::string_view text, CgroupIo& io) {
  while (auto line = TakeLine(text)) {
    std::array<std::string_view, 7> words;
    if (FirstWords(*line, words) == 0 || !IsStorage(words[0])) continue;
    for (std::string_view word : words) {
      const std::string_view key = word.substr(0, 7);
      if (key == "rbytes=") Add(NumberAfter(word, key), io.read);
      if (key == "wbytes=") Add(NumberAfter(word, key), io.written);
    }
  }
}

// A group without any input or output has an empty file.
CgroupIo CgroupReader::ReadIo() {
  const bool old = blkio_->version == 1;
  constexpr const char* kOwn = "blkio.throttle.io_service_bytes";
  constexpr const char* kAll = "blkio.throttle.io_service_bytes_recursive";
  auto text = blkio_->folder.File(old ? kAll : "io.stat").Text();
  if (!text && old) text = blkio_->folder.File(kOwn).Text();
  if (!text) return {};
  CgroupIo io{.read = Bytes{0}, .written = Bytes{0}};
  if (old) {
    AddIoV1(*text, io);
  } else {
    AddIoV2(*text, io);
  }
  return io;
}

CgroupUsage CgroupReader::Read() {
  CgroupUsage usage;
  if (memory_) {
    usage.memory =
        (memory_->version == 1 ? MemoryV1 : MemoryV2)(memory_->folder);
  }
  if (cpuacct_) {
    (cpuacct_->version == 1 ? AddTimeV1 : AddTimeV2)(cpuacct_->folder,
                                                     usage.cpu);
  }
  if (cpu_) AddThrottling(cpu_->version, cpu_->folder, usage.cpu);
  if (blkio_) usage.io = ReadIo();
  if (pids_) usage.tasks = pids_->folder.File("pids.current").Count();
  if (unified_) {
    auto pressure = [&](const char* name) {
      return ParsePressure(unified_->File(name).TextOrNone());
    };
    usage.pressure = {.cpu = pressure("cpu.pressure"),
                      .memory = pressure("memory.pressure"),
                      .io = pressure("io.pressure")};
  }
  return usage;
}

CgroupUsage ReadCgroupUsage(const SystemRoot& root, const CgroupPaths& paths) {
  return CgroupReader(root, paths).Read();
}

}  // namespace mete
