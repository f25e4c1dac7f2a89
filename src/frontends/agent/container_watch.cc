#include "agent/container_watch.h"

#include <algorithm>
#include <vector>

namespace mete {
namespace {

using std::chrono::nanoseconds;

bool IsEmpty(const CgroupUsage& usage) {
  return !usage.cpu.total && !usage.memory.current && !usage.tasks;
}

}  // namespace

ContainerWatch::ContainerWatch(const SystemRoot& root, const Clock& clock,
                               ContainerWatchSettings settings)
    : root_(root),
      clock_(clock),
      settings_(settings),
      trees_(root),
      devices_(root),
      names_(root),
      pool_{.descriptors = settings.descriptors} {}

// Grows with the number of containers beyond 500, so that the cost per second
// stays the same.
nanoseconds ContainerWatch::Rest() const {
  constexpr size_t kMany = 500;
  return settings_.rest * std::max<size_t>(entries_.size(), kMany) /
         static_cast<int64_t>(kMany);
}

void ContainerWatch::Read() {
  const nanoseconds now = clock_.Now();
  if (!next_search_ || now >= *next_search_) {
    Search();
    next_search_ = now + settings_.search_every;
  }
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    entry = ReadOne(entry->second, now) ? std::next(entry) : Remove(entry);
  }
}

void ContainerWatch::Search() {
  std::vector<ContainerIdentity> found = FindContainers(trees_);
  auto is_service = [](const ContainerIdentity& identity) {
    return identity.runtime == ContainerRuntime::kSystemd;
  };
  std::ranges::sort(found, [&](const auto& a, const auto& b) {
    return std::pair(is_service(a), std::string_view(a.group)) <
           std::pair(is_service(b), std::string_view(b.group));
  });
  std::set<std::string_view> groups;
  for (const ContainerIdentity& one : found) groups.insert(one.group);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    entry = groups.contains(entry->first) ? std::next(entry) : Remove(entry);
  }
  groups.clear();  // its views dangle once `found` is moved from
  left_out_ = 0;
  for (ContainerIdentity& one : found) {
    if (!entries_.contains(one.group)) Add(std::move(one));
  }
  FindNames();
  ShareDescriptors();
}

// Rounded up so that each container keeps at least the file that shows whether
// it ran.
void ContainerWatch::ShareDescriptors() {
  const size_t containers = std::max<size_t>(entries_.size(), 1);
  pool_.most_each = (settings_.descriptors + containers - 1) / containers;
}

void ContainerWatch::Add(ContainerIdentity identity) {
  std::string label = identity.ShortName();
  // Prometheus rejects duplicate series.
  if (labels_.contains({identity.runtime, label})) label = identity.id;
  const bool taken = labels_.contains({identity.runtime, label});
  if (taken || entries_.size() >= settings_.most) {
    ++left_out_;
    return;
  }
  labels_.emplace(identity.runtime, label);
  std::string group = identity.group;
  PooledCgroupFiles files(trees_, pool_, trees_.Main()->Below(group),
                          FindElsewhere(root_, trees_, identity));
  entries_.emplace(std::move(group),
                   Entry{.container = {.identity = std::move(identity),
                                       .label = std::move(label)},
                         .files = std::move(files)});
}

ContainerWatch::Entries::iterator ContainerWatch::Remove(
    Entries::iterator entry) {
  const WatchedContainer& gone = entry->second.container;
  labels_.erase({gone.identity.runtime, gone.label});
  return entries_.erase(entry);
}

// A pod's log directory may be created after its cgroup, so incomplete names
// are looked up again.
void ContainerWatch::FindNames() {
  bool refreshed = false;
  for (auto& [group, entry] : entries_) {
    WatchedContainer& container = entry.container;
    const bool in_pod = !container.identity.pod.empty();
    const bool complete =
        container.renamed > 0 && (!in_pod || !container.name.name.empty());
    if (complete) continue;
    if (in_pod && !refreshed) names_.Refresh();
    refreshed = refreshed || in_pod;
    ContainerName name = names_.Of(container.identity);
    const bool changed = container.renamed == 0 ||
                         name.name != container.name.name ||
                         name.pod_name != container.name.pod_name;
    if (!changed) continue;
    container.name = std::move(name);
    ++container.renamed;
  }
}

void ContainerWatch::LookAgain(Entry& entry) {
  entry.files.LookAgain(FindElsewhere(root_, trees_, entry.container.identity));
}

// Spreads the first deadlines, so that containers found together are not always
// read together.
nanoseconds ContainerWatch::Staggered(nanoseconds time, bool first) {
  constexpr size_t kShares = 100;
  if (!first) return time;
  return time * static_cast<int64_t>(added_++ % kShares + 1) /
         static_cast<int64_t>(kShares);
}

bool ContainerWatch::ReadOne(Entry& entry, nanoseconds now) {
  CgroupUsage& usage = entry.container.usage;
  const bool first = IsEmpty(usage);
  const bool rested = now >= entry.rested;
  // Soon after the start, when the first process is in the cgroup; then once a
  // minute, because controllers are rarely enabled later.
  constexpr int kRestsUntilRetry = 12;
  if (rested && entry.rests++ % kRestsUntilRetry == 0) LookAgain(entry);
  const std::optional<nanoseconds> before = usage.cpu.total;
  ReadTime(entry.files, usage);
  const bool ran = !before || usage.cpu.total != before;
  if (!first && !rested && !ran) return true;
  ReadMemoryInUse(entry.files, usage);
  // The cgroup is gone, unless it has neither controller.
  const bool silent = !usage.cpu.total && !usage.memory.current;
  if (first || rested || silent || now >= entry.details) {
    ReadDetails(entry.files, devices_, usage);
    entry.details = now + Staggered(settings_.details, first);
  }
  if (IsEmpty(usage)) return false;
  if (first || now >= entry.seldom) {
    PooledCgroupFiles seldom = entry.files.In(seldom_);
    ReadSeldom(seldom, usage);
    entry.container.limits = ReadLimits(seldom);
    entry.seldom = now + Staggered(settings_.seldom, first);
  }
  if (first || rested) entry.rested = now + Staggered(Rest(), first);
  return true;
}

}  // namespace mete
