// Reads an application from a YAML block.
#pragma once

#include <filesystem>
#include <string>

#include "measure/application_spec.h"
#include "support/yaml.h"

namespace mete {

// An application being read: defaults first, then its own keys.
struct ApplicationDraft {
  ApplicationSpec spec;
  // Kept separate until it is clear whether there is an image.
  ContainerSettings container;
  // The same for the network. Without a path there is none.
  NetworkOptions network;
};

// Applies the keys of one block to the draft. Variables are merged by name and
// limits one by one; every other key replaces the earlier value.
Status ReadApplication(const YamlValue& block,
                       const std::filesystem::path& base,
                       ApplicationDraft& draft);

// Completes the draft. Fails when there is nothing to run.
Result<ApplicationSpec> FinishApplication(const YamlValue& block,
                                          const std::filesystem::path& base,
                                          ApplicationDraft draft);

// [machine, hooks], or [] for none.
YamlTaker TakeProbes(ProbeChoice& probes);

}  // namespace mete
