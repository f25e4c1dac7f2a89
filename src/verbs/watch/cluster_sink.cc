#include "watch/cluster_sink.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace mete {
namespace {

constexpr size_t kPatchesAtOnce = 4;

}  // namespace

LabelMap ClusterSink::Current(const ObjectMeta& object) {
  auto found = written_.find(object.ref.uid);
  if (found == written_.end() ||
      !found->second.older.contains(object.resource_version)) {
    return object.annotations;
  }
  return found->second.annotations;
}

std::vector<Status> ClusterSink::Write(
    const std::vector<AnnotationPatch>& patches, std::stop_token stop) {
  std::vector<Status> results(
      patches.size(), Error(ErrorCode::kInterrupted, "patch: interrupted"));
  const auto before = std::exchange(written_, {});
  std::mutex mutex;  // of written_
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t at = next++; at < patches.size(); at = next++) {
      if (stop.stop_requested()) return;
      auto patched = cluster_.Patch(patches[at], stop);
      if (patched.ok() || patched.error().code() == ErrorCode::kNotFound) {
        results[at] = Status();
        if (!patched.ok() || patches[at].dry_run) continue;
        Written now{.older = {patches[at].seen_version},
                    .version = std::move(patched->resource_version),
                    .annotations = std::move(patched->annotations)};
        auto last = before.find(patched->ref.uid);
        if (last != before.end() &&
            last->second.older.contains(patches[at].seen_version)) {
          now.older.insert(last->second.older.begin(),
                           last->second.older.end());
          now.older.insert(last->second.version);
        }
        std::lock_guard lock(mutex);
        written_[patched->ref.uid] = std::move(now);
      } else {
        results[at] = patched.error();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(kPatchesAtOnce, patches.size()); ++i) {
    threads.emplace_back(work);
  }
  work();
  threads.clear();
  return results;
}

}  // namespace mete
