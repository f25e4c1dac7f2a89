// Where annotations go: the objects of a cluster, a file, or the store.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "domain/cluster_object.h"
#include "ports/cluster.h"
#include "support/result.h"

namespace mete {

// Takes the annotations of one round. Used by one thread.
class AnnotationSink {
 public:
  virtual ~AnnotationSink() = default;

  // A name for people: "https://10.0.0.1:6443", "profiles.json".
  virtual std::string name() const = 0;
  // The annotations that the object has here. `object` is as the cluster
  // reported it, or without annotations if there is no cluster.
  virtual LabelMap Current(const ObjectMeta& object) = 0;
  // Objects that have annotations here although the cluster does not list them
  // any longer, for pruning. `present` are all listed objects.
  virtual std::vector<ObjectMeta> Abandoned(
      const std::vector<ObjectMeta>& present) = 0;
  // Writes all patches; the results are in their order. Something that failed
  // is written in the next round.
  virtual std::vector<Status> Write(const std::vector<AnnotationPatch>& patches,
                                    std::stop_token stop) = 0;
};

}  // namespace mete
