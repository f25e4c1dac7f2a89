#include "devices/cached_nodes.h"

#include <fmt/format.h>

#include <utility>

namespace mete {
namespace {

// How late an answer of the source may be before it counts as stale.
constexpr std::chrono::nanoseconds kGrace = std::chrono::seconds(5);
// Longer than the source's own deadline. Only name resolution can take longer.
constexpr std::chrono::seconds kFirstAnswer{3};

std::shared_ptr<const NodeSnapshot> Marked(const NodeSnapshot& snapshot,
                                           std::string why) {
  auto copy = std::make_shared<NodeSnapshot>(snapshot);
  copy->stale = std::move(why);
  return copy;
}

}  // namespace

void NodeCache::Take(Result<std::shared_ptr<const NodeSnapshot>> answer) {
  std::lock_guard lock(mutex_);
  if (answer.ok()) {
    last_ = *std::move(answer);
    last_at_ = clock_.Now();
    error_.reset();
  } else {
    error_ = answer.error();
    if (last_ != nullptr) last_ = Marked(*last_, error_->message());
  }
  answered_.notify_all();
}

Result<std::shared_ptr<const NodeSnapshot>> NodeCache::Give() {
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, kFirstAnswer, [this] { return AnyAnswer(); });
  if (last_ == nullptr) {
    return error_.value_or(
        Error(ErrorCode::kTimeout, "no data about the nodes yet"));
  }
  std::chrono::nanoseconds age = clock_.Now() - last_at_;
  if (age > pace_.keep) {
    last_.reset();
    if (!error_)
      error_ = Unavailable("no data about the nodes for a long time");
    return *error_;
  }
  if (!last_->stale && age > pace_.ttl + kGrace) {
    last_ = Marked(*last_,
                   fmt::format("no answer for {:.0f} s", Seconds(age).count()));
  }
  return last_;
}

bool NodeCache::Answered() const {
  std::lock_guard lock(mutex_);
  return AnyAnswer();
}

CachedNodes::CachedNodes(NodeSource& source, NodeCachePace pace, Clock& clock)
    : cache_(pace, clock),
      thread_([this, &source, pace, &clock](std::stop_token stop) {
        do {
          cache_.Take(source.Nodes());
        } while (clock.SleepFor(pace.ttl, stop));
      }) {}

}  // namespace mete
