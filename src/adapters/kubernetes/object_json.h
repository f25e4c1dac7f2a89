// Reads objects of the API from JSON. Lists and watch events can be large, so
// they are parsed with simdjson.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_object.h"
#include "ports/cluster.h"
#include "support/result.h"

namespace mete {

// One page of a list.
template <typename Object>
struct ObjectPage {
  std::vector<Object> items;
  std::string resource_version;
  std::string continuation;  // token of the next page; empty: the last one
};

Result<ObjectPage<NodeObject>> ParseNodePage(std::string_view body);
Result<ObjectPage<PodObject>> ParsePodPage(std::string_view body);

// Roughly the memory of an object in bytes.
size_t MemoryOf(const NodeObject& node);
size_t MemoryOf(const PodObject& pod);

// The metadata of a single object of any kind. Lists omit kind and version, so
// these come from the request where they are missing.
Result<ObjectMeta> ParseMeta(std::string_view body, const ObjectRef& asked);

// One line of a watch.
struct WatchLine {
  enum class Kind { kAdded, kModified, kDeleted, kBookmark, kError };
  Kind kind = Kind::kError;
  ClusterObjects objects;        // one node or pod
  std::string resource_version;  // to resume after this line
  int error_status = 0;          // of kError: 410 when the version is too old
  std::string error_message;
};

Result<WatchLine> ParseWatchLine(std::string_view line, WatchedKind kind);

// A kind of object that the server knows.
struct ApiResource {
  std::string kind;
  std::string plural;
  bool in_spaces = false;  // its objects are in namespaces
};

// The answer to a discovery request, without subresources.
Result<std::vector<ApiResource>> ParseResources(std::string_view body);

}  // namespace mete
