// An application as the keys of a YAML block.
#pragma once

#include <filesystem>
#include <string>

#include "measure/application_spec.h"
#include "support/yaml.h"

namespace mete {

// An application while it is read: defaults first, then its own keys on top.
struct ApplicationDraft {
  ApplicationSpec spec;
  // Kept apart until it is known whether there is an image to run in one.
  ContainerSettings container;
};

// Takes the keys of one block on top of the draft. Variables are added by
// name and limits one by one; every other key replaces what was there.
Status ReadApplication(const YamlValue& block,
                       const std::filesystem::path& base,
                       ApplicationDraft& draft);

// The draft as a whole. Fails when there is nothing to run.
Result<ApplicationSpec> FinishApplication(const YamlValue& block,
                                          const std::filesystem::path& base,
                                          ApplicationDraft draft);

// [machine, hooks], or [] for none.
YamlTaker TakeProbes(ProbeChoice& probes);

}  // namespace mete
