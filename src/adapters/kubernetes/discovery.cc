#include "adapters/kubernetes/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "net/http.h"

namespace mete {
namespace {

constexpr std::chrono::minutes kAskAgainAfter{1};

const ApiResource* FindKind(const std::vector<ApiResource>& resources,
                            const std::string& kind) {
  auto found = std::ranges::find(resources, kind, &ApiResource::kind);
  return found == resources.end() ? nullptr : &*found;
}

// Servers and proxies take "." and ".." as folders, also when encoded.
bool IsSegment(std::string_view text) {
  return !text.empty() && text != "." && text != "..";
}

// References to owners are written by whoever may create pods.
bool HasPath(const ObjectRef& object) {
  const std::string& version = object.api_version;
  const size_t slash = version.find('/');
  const bool root = slash == std::string::npos
                        ? IsSegment(version)
                        : IsSegment(version.substr(0, slash)) &&
                              IsSegment(version.substr(slash + 1));
  return root && IsSegment(object.name) &&
         (object.space.empty() || IsSegment(object.space));
}

}  // namespace

std::string ApiRoot(const std::string& api_version) {
  size_t slash = api_version.find('/');
  if (slash == std::string::npos) return "/api/" + PercentEncode(api_version);
  return fmt::format("/apis/{}/{}", PercentEncode(api_version.substr(0, slash)),
                     PercentEncode(api_version.substr(slash + 1)));
}

std::string CollectionPath(const std::string& api_version,
                           const std::string& plural,
                           const std::string& space) {
  if (space.empty()) return ApiRoot(api_version) + "/" + PercentEncode(plural);
  return fmt::format("{}/namespaces/{}/{}", ApiRoot(api_version),
                     PercentEncode(space), PercentEncode(plural));
}

Result<Discovery::Known> Discovery::Ask(const std::string& api_version,
                                        std::stop_token stop) {
  {
    std::lock_guard lock(mutex_);
    auto found = known_.find(api_version);
    if (found != known_.end() &&
        clock_.Now() - found->second.asked < kAskAgainAfter) {
      return found->second;
    }
  }
  ASSIGN_OR_RETURN(ApiAnswer answer,
                   client_.Send({.target = ApiRoot(api_version)}, stop));
  Known known{.asked = clock_.Now()};
  // 404: no such group or version, which is worth remembering as well.
  if (answer.status != 404) {
    ASSIGN_OR_RETURN(std::string body,
                     ApiBody(std::move(answer), "discover " + api_version));
    ASSIGN_OR_RETURN(known.resources, ParseResources(body));
  }
  std::lock_guard lock(mutex_);
  known_[api_version] = known;
  return known;
}

Result<std::string> Discovery::Path(const ObjectRef& object,
                                    std::stop_token stop) {
  if (!HasPath(object)) {
    return NotFound(fmt::format("{} in {} is no name of an object",
                                ObjectText(object), object.api_version));
  }
  std::optional<ApiResource> resource;
  {
    // What was once known stays valid: plurals do not change.
    std::lock_guard lock(mutex_);
    auto found = known_.find(object.api_version);
    const ApiResource* kind =
        found == known_.end() ? nullptr
                              : FindKind(found->second.resources, object.kind);
    if (kind != nullptr) resource = *kind;
  }
  if (!resource) {
    ASSIGN_OR_RETURN(Known known, Ask(object.api_version, stop));
    const ApiResource* kind = FindKind(known.resources, object.kind);
    if (kind == nullptr) {
      return NotFound(fmt::format("the cluster has no kind {} in {}",
                                  object.kind, object.api_version));
    }
    resource = *kind;
  }
  return CollectionPath(object.api_version, resource->plural,
                        resource->in_spaces ? object.space : "") +
         "/" + PercentEncode(object.name);
}

}  // namespace mete
