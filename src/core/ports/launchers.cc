#include "ports/launchers.h"

#include "domain/run_json.h"

namespace mete {

Result<Launcher*> Launchers::Find(WorkloadKind kind, std::stop_token stop) {
  std::lock_guard lock(mutex_);
  if (auto made = made_.find(kind); made != made_.end()) {
    return made->second.get();
  }
  auto factory = factories_.find(kind);
  if (factory == factories_.end()) {
    return Unsupported("nothing here runs workloads of the kind " +
                       std::string(ToString(kind)));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Launcher> launcher,
                   factory->second(std::move(stop)));
  return (made_[kind] = std::move(launcher)).get();
}

Result<Launcher*> Launchers::Find(const std::string& name,
                                  std::stop_token stop) {
  std::lock_guard lock(mutex_);
  if (auto made = named_.find(name); made != named_.end()) {
    return made->second.get();
  }
  auto factory = named_factories_.find(name);
  if (factory == named_factories_.end()) {
    return Unsupported("there is no launcher '" + name + "' here");
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Launcher> launcher,
                   factory->second(std::move(stop)));
  return (named_[name] = std::move(launcher)).get();
}

}  // namespace mete
