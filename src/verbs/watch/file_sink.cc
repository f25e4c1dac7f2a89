#include "watch/file_sink.h"

#include <set>

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
      LabelMap& annotations = sink.objects_[{
          object.at("kind"), GetText(object, "namespace"), object.at("name")}];
      for (const auto& [key, value] : object.at("annotations").items()) {
        annotations[key] = AnnotationFromJson(value);
      }
    }
    return {};
  });
  if (!status.ok()) return status.error();
  return sink;
}

LabelMap FileSink::Current(const ObjectMeta& object) {
  auto found =
      objects_.find({object.ref.kind, object.ref.space, object.ref.name});
  return found == objects_.end() ? LabelMap() : found->second;
}

std::vector<ObjectMeta> FileSink::Abandoned(
    const std::vector<ObjectMeta>& present) {
  std::set<Key> known;
  for (const ObjectMeta& object : present) {
    known.insert({object.ref.kind, object.ref.space, object.ref.name});
  }
  std::vector<ObjectMeta> abandoned;
  for (const auto& [key, annotations] : objects_) {
    if (known.contains(key)) continue;
    const auto& [kind, space, name] = key;
    abandoned.push_back({.ref = {.kind = kind, .space = space, .name = name},
                         .annotations = annotations});
  }
  return abandoned;
}

std::vector<Status> FileSink::Write(const std::vector<AnnotationPatch>& patches,
                                    std::stop_token) {
  auto before = objects_;
  for (const AnnotationPatch& patch : patches) {
    Key key{patch.object.kind, patch.object.space, patch.object.name};
    LabelMap& annotations = objects_[key];
    for (const auto& [name, value] : patch.set) annotations[name] = value;
    for (const std::string& name : patch.remove) annotations.erase(name);
    if (annotations.empty()) objects_.erase(key);
  }
  Json objects = Json::array();
  for (const auto& [key, annotations] : objects_) {
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
  if (!written.ok()) objects_ = std::move(before);
  return std::vector<Status>(patches.size(), written);
}

}  // namespace mete
