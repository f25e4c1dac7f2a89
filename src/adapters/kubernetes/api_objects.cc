#include "adapters/kubernetes/api_objects.h"

#include <fmt/format.h>

#include "net/http.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

// Of objects that mete has created.
constexpr int kMostPages = 100;
constexpr Bytes kLargestList = Mebibytes(32);

}  // namespace

Result<std::vector<Json>> ListObjects(ApiClient& client,
                                      const std::string& path,
                                      const std::string& selector,
                                      std::stop_token stop) {
  const std::string act = "list " + path;
  std::vector<Json> objects;
  std::string next;
  size_t size = 0;
  for (int pages = 0; pages < kMostPages; ++pages) {
    std::string target = fmt::format("{}?limit=500&labelSelector={}", path,
                                     PercentEncode(selector));
    if (!next.empty()) target += "&continue=" + PercentEncode(next);
    ASSIGN_OR_RETURN(std::string body,
                     ApiBody(client.Send({.target = target}, stop), act));
    size += body.size();
    if (size > kLargestList.count) {
      return Corrupt(fmt::format("{}: it is larger than {}", act,
                                 FormatBytes(kLargestList)));
    }
    ASSIGN_OR_RETURN(Json list, ParseJson(body));
    Status read = ReadJson(path, [&]() -> Status {
      for (Json& object : list.at("items")) {
        objects.push_back(std::move(object));
      }
      next = GetText(list.at("metadata"), "continue");
      return {};
    });
    if (!read.ok()) return read.error();
    if (next.empty()) return objects;
  }
  return Corrupt(
      fmt::format("{}: it does not end after {} pages", act, kMostPages));
}

Status DeleteObject(ApiClient& client, const std::string& path,
                    const Json& options, const std::string& act,
                    std::stop_token stop) {
  ASSIGN_OR_RETURN(ApiAnswer answer,
                   client.Send({.method = "DELETE",
                                .target = path,
                                .content_type = "application/json",
                                .body = options.dump()},
                               std::move(stop)));
  if (answer.ok() || answer.status == 404) return {};
  return ApiError(answer, act);
}

}  // namespace mete
