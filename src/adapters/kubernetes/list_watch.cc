#include "adapters/kubernetes/list_watch.h"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "adapters/kubernetes/discovery.h"
#include "net/http.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr int kPageSize = 500;
constexpr int kExpired = 410;
// Far beyond the largest clusters (150,000 pods): a server that continues its
// list without end must not fill the memory.
constexpr int kMostPages = 400;
constexpr size_t kLongestLine = 16u << 20;
// The server ends a watch after this time; we resume it.
constexpr int kWatchSeconds = 240;
// Bookmarks arrive every minute, so silence means a dead connection.
constexpr HttpPatience kWatchPatience{.silence = std::chrono::seconds(100)};
constexpr std::chrono::minutes kRejectedFor{1};

std::string Joined(const std::string& path, const std::string& query,
                   const std::string& more) {
  return path + "?" + query + (query.empty() ? "" : "&") + more;
}

void Append(ObjectPage<NodeObject> page, ClusterObjects& all) {
  std::move(page.items.begin(), page.items.end(),
            std::back_inserter(all.nodes));
}

void Append(ObjectPage<PodObject> page, ClusterObjects& all) {
  std::move(page.items.begin(), page.items.end(), std::back_inserter(all.pods));
}

// Adds a page, and its size to `memory`. Returns the token of the next one.
template <typename Page>
Result<std::string> TakePage(Result<Page> page, ClusterObjects& all,
                             size_t& memory) {
  if (!page.ok()) return page.error();
  for (const auto& item : page->items) memory += MemoryOf(item);
  std::string next = page->continuation;
  all.resource_version = page->resource_version;
  Append(*std::move(page), all);
  return next;
}

bool Fixable(const Error& error) {
  return error.code() == ErrorCode::kUnavailable ||
         error.code() == ErrorCode::kTimeout ||
         error.code() == ErrorCode::kCorrupt;
}

ClusterChange ToChange(WatchLine::Kind kind) {
  switch (kind) {
    case WatchLine::Kind::kAdded:
      return ClusterChange::kAdded;
    case WatchLine::Kind::kModified:
      return ClusterChange::kModified;
    default:
      return ClusterChange::kDeleted;
  }
}

// One watch from its start to its end.
class CollectionWatch {
 public:
  CollectionWatch(ApiClient& client, const Collection& collection,
                  const WatchCallbacks& callbacks, Clock& clock,
                  std::stop_token stop)
      : client_(client),
        collection_(collection),
        callbacks_(callbacks),
        clock_(clock),
        stop_(std::move(stop)) {}

  Status Run() {
    while (!stop_.stop_requested()) {
      Status step = version_.empty() ? Relist() : Follow();
      if (stop_.stop_requested()) break;
      if (step.ok()) {
        accepted_ = true;
        rejected_since_.reset();
        continue;
      }
      if (!WorthAnother(step.error())) return step;
      if (callbacks_.trouble) callbacks_.trouble(step.error());
      if (!client_.Pause(attempt_++, stop_)) break;
    }
    return {};
  }

 private:
  Status Relist() {
    ASSIGN_OR_RETURN(ClusterObjects objects,
                     ListCollection(client_, collection_, stop_));
    version_ = objects.resource_version;
    changed_.clear();
    changed_memory_ = 0;
    if (version_.empty()) return Corrupt("the list has no resourceVersion");
    callbacks_.event({ClusterChange::kRelisted, std::move(objects)});
    return {};
  }

  // Until the stream ends.
  Status Follow() {
    LineSplitter splitter;
    Status damaged;
    bool received = false;  // a change, or that there is none
    auto sink = [&](std::string_view piece) {
      bool go_on = splitter.Feed(piece, [&](std::string_view line) {
        damaged = Take(line);
        const bool taken = damaged.ok() && !version_.empty();
        received = received || taken;
        return taken;
      });
      return go_on && !stop_.stop_requested();
    };
    const nanoseconds start = clock_.Now();
    auto answer =
        client_.Stream({.target = Target()}, sink, kWatchPatience, stop_);
    const bool sound = received && clock_.Now() - start >= kShortWatch;
    if (sound) attempt_ = 0;
    if (!damaged.ok()) return damaged;
    if (!answer.ok()) {
      // Silence for longer than bookmarks take: the connection is dead.
      return answer.error();
    }
    if (answer->status == kExpired) version_.clear();
    if (answer->ok() || answer->status == kExpired) {
      // A server that ends every watch at once, even after a change, or lets
      // every version expire, must not be asked in a loop.
      if (!sound) client_.Pause(attempt_++, stop_);
      return {};
    }
    return ApiError(*answer, "watch " + collection_.path);
  }

  std::string Target() const {
    return Joined(collection_.path, collection_.query,
                  fmt::format("watch=true&allowWatchBookmarks=true&"
                              "timeoutSeconds={}&resourceVersion={}",
                              kWatchSeconds, PercentEncode(version_)));
  }

  Status Take(std::string_view text) {
    ASSIGN_OR_RETURN(WatchLine line, ParseWatchLine(text, collection_.kind));
    if (line.kind == WatchLine::Kind::kError) {
      if (line.error_status == kExpired) {
        version_.clear();
        return {};
      }
      return Unavailable("watch: " + line.error_message);
    }
    if (!line.resource_version.empty()) version_ = line.resource_version;
    if (line.kind == WatchLine::Kind::kBookmark) return {};
    Count(line);
    callbacks_.event({ToChange(line.kind), std::move(line.objects)});
    // Whoever keeps the objects forgets those that a list does not have.
    if (changed_memory_ > collection_.largest.count ||
        changed_.size() > collection_.most) {
      version_.clear();
    }
    return {};
  }

  // Adds up what the objects take that were reported since the last list.
  void Count(const WatchLine& line) {
    auto count = [&](const auto& object) {
      size_t& known = changed_[object.meta.ref.uid];
      changed_memory_ -= known;
      known = MemoryOf(object);
      changed_memory_ += known;
      if (line.kind != WatchLine::Kind::kDeleted) return;
      changed_memory_ -= known;
      changed_.erase(object.meta.ref.uid);
    };
    for (const NodeObject& node : line.objects.nodes) count(node);
    for (const PodObject& pod : line.objects.pods) count(pod);
  }

  bool WorthAnother(const Error& error) {
    if (Fixable(error)) return true;
    if (error.code() != ErrorCode::kPermissionDenied || !accepted_) {
      return false;
    }
    if (!rejected_since_) rejected_since_ = clock_.Now();
    return clock_.Now() - *rejected_since_ < kRejectedFor;
  }

  ApiClient& client_;
  const Collection& collection_;
  const WatchCallbacks& callbacks_;
  Clock& clock_;
  const std::stop_token stop_;
  std::string version_;                    // resume after it; empty: list first
  std::map<std::string, size_t> changed_;  // since the last list, by uid
  size_t changed_memory_ = 0;
  int attempt_ = 0;
  bool accepted_ = false;
  std::optional<nanoseconds> rejected_since_;
};

}  // namespace

Collection MakeCollection(WatchedKind kind, const ClusterScope& scope,
                          const std::string& space) {
  const bool nodes = kind == WatchedKind::kNodes;
  Collection made{.kind = kind,
                  .path = CollectionPath("v1", nodes ? "nodes" : "pods",
                                         nodes ? "" : space)};
  if (!scope.label_selector.empty()) {
    made.query = "labelSelector=" + PercentEncode(scope.label_selector);
  }
  if (!scope.node.empty()) {
    if (!made.query.empty()) made.query += "&";
    made.query += "fieldSelector=" +
                  PercentEncode((nodes ? "metadata.name=" : "spec.nodeName=") +
                                scope.node);
  }
  return made;
}

Result<ClusterObjects> ListCollection(ApiClient& client,
                                      const Collection& collection,
                                      std::stop_token stop) {
  const std::string act = "list " + collection.path;
  constexpr int kMostStarts = 3;
  int starts = 1;
  ClusterObjects all;
  size_t memory = 0;
  std::string next;
  for (int pages = 0; pages < kMostPages; ++pages) {
    std::string page = fmt::format("limit={}", kPageSize);
    if (!next.empty()) page += "&continue=" + PercentEncode(next);
    auto answer = client.Send(
        {.target = Joined(collection.path, collection.query, page)}, stop);
    if (answer.ok() && answer->status == kExpired && !next.empty() &&
        starts++ < kMostStarts) {
      all = {};
      memory = 0;
      next.clear();
      continue;
    }
    ASSIGN_OR_RETURN(std::string body, ApiBody(std::move(answer), act));
    auto taken = collection.kind == WatchedKind::kNodes
                     ? TakePage(ParseNodePage(body), all, memory)
                     : TakePage(ParsePodPage(body), all, memory);
    if (!taken.ok()) return taken.error().While(act);
    if (all.nodes.size() + all.pods.size() > collection.most) {
      return Corrupt(
          fmt::format("{}: it has more than {} objects", act, collection.most));
    }
    if (memory > collection.largest.count) {
      return Corrupt(fmt::format("{}: its objects take more than {}", act,
                                 FormatBytes(collection.largest)));
    }
    next = *std::move(taken);
    if (next.empty()) return all;
  }
  return Corrupt(
      fmt::format("{}: it does not end after {} pages", act, kMostPages));
}

Status WatchCollection(ApiClient& client, const Collection& collection,
                       const WatchCallbacks& callbacks, Clock& clock,
                       std::stop_token stop) {
  return CollectionWatch(client, collection, callbacks, clock, std::move(stop))
      .Run();
}

bool LineSplitter::Feed(std::string_view piece,
                        const std::function<bool(std::string_view line)>& use) {
  while (!piece.empty()) {
    size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      pending_ += piece;
      return pending_.size() <= kLongestLine;
    }
    std::string_view line = piece.substr(0, end);
    piece.remove_prefix(end + 1);
    std::string whole;
    if (!pending_.empty()) {
      whole = std::move(pending_);
      pending_.clear();
      whole += line;
      line = whole;
    }
    if (!line.empty() && !use(line)) return false;
  }
  return true;
}

}  // namespace mete
