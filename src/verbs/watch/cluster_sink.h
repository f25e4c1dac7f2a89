// Writes annotations to the objects of a cluster.
#pragma once

#include "watch/annotation_sink.h"

namespace mete {

// Patches several objects at once.
class ClusterSink final : public AnnotationSink {
 public:
  explicit ClusterSink(Cluster& cluster) : cluster_(cluster) {}

  std::string name() const override { return cluster_.name(); }
  LabelMap Current(const ObjectMeta& object) override {
    return object.annotations;
  }
  // None: annotations end with their object.
  std::vector<ObjectMeta> Abandoned(const std::vector<ObjectMeta>&) override {
    return {};
  }
  // An object that is gone needs no annotations, so that is not a failure.
  std::vector<Status> Write(const std::vector<AnnotationPatch>& patches,
                            std::stop_token stop) override;

 private:
  Cluster& cluster_;
};

}  // namespace mete
