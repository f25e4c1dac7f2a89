// Writes annotations to the objects of a cluster.
#pragma once

#include <map>
#include <set>
#include <string>

#include "watch/annotation_sink.h"

namespace mete {

// Patches several objects at once.
class ClusterSink final : public AnnotationSink {
 public:
  explicit ClusterSink(Cluster& cluster) : cluster_(cluster) {}

  std::string name() const override { return cluster_.name(); }
  // What was written last, if `object` is still older than that: the
  // subscription to a cluster may lag behind, even by several writes.
  LabelMap Current(const ObjectMeta& object) override;
  // None: annotations end with their object.
  std::vector<ObjectMeta> Abandoned(const std::vector<ObjectMeta>&) override {
    return {};
  }
  // An object that is gone needs no annotations, so that is not a failure.
  std::vector<Status> Write(const std::vector<AnnotationPatch>& patches,
                            std::stop_token stop) override;

 private:
  // An object after a patch.
  struct Written {
    std::set<std::string> older;  // versions that the patch has replaced
    std::string version;
    LabelMap annotations;
  };

  Cluster& cluster_;
  std::map<std::string, Written> written_;  // in the last Write, by uid
};

}  // namespace mete
