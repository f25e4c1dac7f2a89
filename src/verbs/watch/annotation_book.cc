#include "watch/annotation_book.h"

#include <set>

namespace mete {

LabelMap AnnotationBook::Find(const ObjectRef& object) const {
  auto found = objects_.find(KeyFor(object));
  return found == objects_.end() ? LabelMap() : found->second;
}

void AnnotationBook::Put(const ObjectRef& object, LabelMap annotations) {
  objects_[KeyFor(object)] = std::move(annotations);
}

std::vector<ObjectMeta> AnnotationBook::Without(
    const std::vector<ObjectMeta>& present) const {
  std::set<Key> known;
  for (const ObjectMeta& object : present) known.insert(KeyFor(object.ref));
  std::vector<ObjectMeta> others;
  for (const auto& [key, annotations] : objects_) {
    if (known.contains(key)) continue;
    const auto& [kind, space, name] = key;
    others.push_back({.ref = {.kind = kind, .space = space, .name = name},
                      .annotations = annotations});
  }
  return others;
}

void AnnotationBook::Apply(const AnnotationPatch& patch) {
  LabelMap annotations = Find(patch.object);
  for (const auto& [name, value] : patch.set) annotations[name] = value;
  for (const std::string& name : patch.remove) annotations.erase(name);
  objects_.erase(KeyFor(patch.object));
  if (!annotations.empty()) Put(patch.object, std::move(annotations));
}

}  // namespace mete
