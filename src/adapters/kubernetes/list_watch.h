// Lists a collection in pages and watches its changes.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "adapters/kubernetes/api_client.h"
#include "adapters/kubernetes/object_json.h"
#include "ports/cluster.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A collection in one namespace, or in all of them.
struct Collection {
  WatchedKind kind = WatchedKind::kPods;
  std::string path;   // "/api/v1/namespaces/ml/pods"
  std::string query;  // "labelSelector=…", encoded; may be empty
  // Limit on the memory of its objects: 150,000 pods take some 400 MiB. A
  // server must not fill the memory.
  Bytes largest = Mebibytes(512);
  // Limit on their number: each round copies them.
  size_t most = 200'000;
};

Collection MakeCollection(WatchedKind kind, const ClusterScope& scope,
                          const std::string& space);

// Everything in the collection. When the pages expire while they are read, it
// starts again.
Result<ClusterObjects> ListCollection(ApiClient& client,
                                      const Collection& collection,
                                      std::stop_token stop);

// See Cluster::Watch. `clock` decides when a rejected login is final: a server
// that has just started rejects valid ones for a moment.
Status WatchCollection(ApiClient& client, const Collection& collection,
                       const WatchCallbacks& callbacks, Clock& clock,
                       std::stop_token stop);

// A watch that ends earlier was not worth its request: the next one has to
// wait, longer each time. API servers end watches after minutes.
inline constexpr std::chrono::seconds kShortWatch{5};

// Cuts a stream into lines.
class LineSplitter {
 public:
  // Passes every complete line to `use`, without its end, until that returns
  // false. Returns false then, and when a line gets longer than any object can
  // be.
  bool Feed(std::string_view piece,
            const std::function<bool(std::string_view line)>& use);

 private:
  std::string pending_;
};

}  // namespace mete
