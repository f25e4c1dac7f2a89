#include "watch/file_sink.h"

#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

// A document stays a document; everything else is text.
Json AnnotationToJson(const std::string& value) {
  if (value.starts_with('{')) {
    if (auto json = ParseJson(value); json.ok()) return *std::move(json);
  }
  return value;
}

std::string AnnotationFromJson(const Json& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

}  // namespace

Result<FileSink> FileSink::Open(const std::filesystem::path& file) {
  FileSink sink(file);
  auto text = ReadFile(file);
  if (!text.ok()) {
    if (text.error().code() != ErrorCode::kNotFound) return text.error();
    return sink;
  }
  ASSIGN_OR_RETURN(Json json, ParseJson(*text).While("read " + file.string()));
  Status status = ReadJson(file.string(), [&]() -> Status {
    for (const Json& object : json.at("objects")) {
      LabelMap annotations;
      for (const auto& [key, value] : object.at("annotations").items()) {
        annotations[key] = AnnotationFromJson(value);
      }
      sink.book_.Put({.kind = object.at("kind").get<std::string>(),
                      .space = GetText(object, "namespace"),
                      .name = object.at("name").get<std::string>()},
                     std::move(annotations));
    }
    return {};
  });
  if (!status.ok()) return status.error();
  return sink;
}

std::vector<Status> FileSink::Write(const std::vector<AnnotationPatch>& patches,
                                    std::stop_token) {
  AnnotationBook next = book_;
  for (const AnnotationPatch& patch : patches) next.Apply(patch);
  Json objects = Json::array();
  for (const auto& [key, annotations] : next.objects()) {
    Json object;
    object["kind"] = std::get<0>(key);
    SetText(object, "namespace", std::get<1>(key));
    object["name"] = std::get<2>(key);
    for (const auto& [name, value] : annotations) {
      object["annotations"][name] = AnnotationToJson(value);
    }
    objects.push_back(std::move(object));
  }
  Status written =
      WriteFileAtomically(file_, DumpJson(Json{{"objects", objects}}) + "\n");
  if (written.ok()) book_ = std::move(next);
  return std::vector<Status>(patches.size(), written);
}

}  // namespace mete
