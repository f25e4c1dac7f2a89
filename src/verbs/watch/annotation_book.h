// Annotations of objects that no cluster keeps: what the file and the store
// have in common.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ports/cluster.h"

namespace mete {

class AnnotationBook {
 public:
  // Kind, namespace and name.
  using Key = std::tuple<std::string, std::string, std::string>;
  static Key KeyFor(const ObjectRef& object) {
    return {object.kind, object.space, object.name};
  }

  // Empty if the object is unknown.
  LabelMap Find(const ObjectRef& object) const;
  void Put(const ObjectRef& object, LabelMap annotations);
  // Objects that are not among `present`.
  std::vector<ObjectMeta> Without(const std::vector<ObjectMeta>& present) const;
  // An object that has no annotations left is forgotten.
  void Apply(const AnnotationPatch& patch);
  const std::map<Key, LabelMap>& objects() const { return objects_; }

 private:
  std::map<Key, LabelMap> objects_;
};

}  // namespace mete
