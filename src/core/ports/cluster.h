// Port: a cluster's control plane, as far as mete watches and annotates it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/cluster_object.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Which objects. Nodes ignore the namespaces.
struct ClusterScope {
  std::vector<std::string> spaces;  // namespaces; empty: all
  std::string label_selector;       // "app=train,tier!=test"; empty: all
  std::string node;                 // pods of this node; empty: all
};

enum class WatchedKind { kNodes, kPods };

enum class ClusterChange {
  kRelisted,  // `objects` is everything in scope: forget what is not in it
  kAdded,
  kModified,
  kDeleted,
};

// One change. All but kRelisted carry exactly one object.
struct ClusterEvent {
  ClusterChange change = ClusterChange::kRelisted;
  ClusterObjects objects;
};

// What a watch reports, on the thread that called Watch.
struct WatchCallbacks {
  std::function<void(const ClusterEvent&)> event;
  // The server is lost, and the watch retries. May be empty.
  std::function<void(const Error&)> trouble;
};

// Annotations to set and to remove; all others stay as they are.
struct AnnotationPatch {
  // With a uid, an object of the same name with another uid is not touched.
  ObjectRef object;
  std::map<std::string, std::string, std::less<>> set;
  std::vector<std::string> remove;  // keys; missing ones are ignored
  std::string field_manager = "mete-watch";
  bool dry_run = false;  // the server checks and stores nothing
  // Of the object when the patch was decided. Not compared by the server.
  std::string seen_version{};
};

// A Lease for leader election.
struct LeaseRequest {
  std::string space;
  std::string name;
  std::string holder;  // unique among the replicas
  Seconds duration = std::chrono::seconds(15);
};

// Who leads now.
struct LeaseState {
  bool held = false;   // by the holder of the request
  std::string holder;  // "" when nobody does
};

// A cluster. Thread-safe. Every call fails with kUnavailable or kTimeout when
// the API server does not respond after retries, with kPermissionDenied when it
// rejects our credentials or our rights do not suffice, and with kInterrupted
// when `stop` is requested.
class Cluster {
 public:
  virtual ~Cluster() = default;

  // A name for people: "https://10.0.0.1:6443".
  virtual std::string name() const = 0;

  // The objects now, in pages, sorted by namespace and name. Fails with
  // kInvalidInput for a label selector that the server rejects.
  virtual Result<std::vector<NodeObject>> ListNodes(const ClusterScope& scope,
                                                    std::stop_token stop) = 0;
  virtual Result<std::vector<PodObject>> ListPods(const ClusterScope& scope,
                                                  std::stop_token stop) = 0;

  // Reports kRelisted first, then each change in order, until `stop` is
  // requested; then succeeds. A lost connection is resumed at the last
  // resourceVersion; where that is too old (410 Gone), kRelisted is reported
  // again. Fails only with errors that a retry cannot fix.
  virtual Status Watch(WatchedKind kind, const ClusterScope& scope,
                       const WatchCallbacks& callbacks,
                       std::stop_token stop) = 0;

  // The metadata of an object of any kind. Fails with kNotFound when it, its
  // kind, or an object with this uid does not exist.
  virtual Result<ObjectMeta> Get(const ObjectRef& object,
                                 std::stop_token stop) = 0;

  // The owners of an object, nearest first, the top last; empty without any.
  // Follows the controller, or the first owner where none is marked. Ends
  // before an owner that does not exist, that may not be read, or that is
  // already in the chain.
  virtual Result<std::vector<ObjectMeta>> Owners(const ObjectMeta& object,
                                                 std::stop_token stop) = 0;

  // Changes annotations only; conflicts are retried. Returns the metadata
  // afterwards. Fails with kNotFound when the object is gone.
  virtual Result<ObjectMeta> Patch(const AnnotationPatch& patch,
                                   std::stop_token stop) = 0;

  // Takes the lease if nobody holds it or its holder has not renewed it for its
  // duration, as observed from here (clocks of machines differ); renews it if
  // it is ours.
  virtual Result<LeaseState> AcquireLease(const LeaseRequest& lease,
                                          std::stop_token stop) = 0;
  // Lets another replica take over at once. Does nothing if it is not ours.
  virtual Status ReleaseLease(const LeaseRequest& lease) = 0;
};

}  // namespace mete
