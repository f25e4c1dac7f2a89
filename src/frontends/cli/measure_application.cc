#include "cli/measure_application.h"

#include <fmt/format.h>

#include "cli/application_services.h"
#include "cli/torch_program.h"
#include "devices/this_device.h"
#include "flags/version.h"
#include "measure/application_spec.h"
#include "measure/application_text.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"

namespace mete {
namespace {

using Words = std::vector<std::string>;

// A folder for the run's files: DIR itself, DIR/2, … when repeated.
std::filesystem::path FolderFor(const ApplicationFlags& flags,
                                Services& services, uint64_t repeat,
                                const std::string& run_id) {
  if (flags.out.empty()) return services.RunsFolder() / run_id;
  std::filesystem::path folder = flags.out;
  return flags.repeat > 1 ? folder / std::to_string(repeat) : folder;
}

// One run with its files; not yet stored.
Result<Run> RunOnce(Invocation& invocation, const ApplicationFlags& flags,
                    PreparedApplication application, uint64_t repeat) {
  ApplicationOutside outside = OutsideOf(invocation.services);
  application.request.run_id = NewRunId(outside);
  auto folder =
      FolderFor(flags, invocation.services, repeat, application.request.run_id);
  std::string which =
      flags.repeat > 1 ? fmt::format("{} of {}: ", repeat, flags.repeat) : "";
  Talk& talk = invocation.talk;
  auto done =
      RecordRun(std::move(application), folder, outside,
                {.progress =
                     [&](const ApplicationProgress& progress) {
                       talk.Progress(which + ProgressText(progress));
                     },
                 .warn = [&talk](const std::string& text) { talk.Warn(text); }},
                invocation.stop);
  talk.ClearProgress();
  if (!done.ok()) return done.error();
  return std::move(done->run);
}

}  // namespace

Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(RunStore * store, services.Store());
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(*store, services.ThisHost(), services.TheClock()));
  Words words = invocation.command.value_or(Words());
  if (flags.image.empty()) {
    ASSIGN_OR_RETURN(words,
                     WithTorchFound(std::move(words),
                                    TorchPlacesHere(invocation.environment)));
  }
  ASSIGN_OR_RETURN(ApplicationSpec spec, SpecOf(flags, words));
  auto application = PrepareApplication(
      spec,
      {.device = device,
       .mete_version = kVersion,
       .allow_privileged = flags.allow_privileged},
      OutsideOf(services),
      [&](const std::string& line) { invocation.talk.Progress(line); },
      invocation.stop);
  invocation.talk.ClearProgress();
  if (!application.ok()) return application.error();
  std::vector<Run> runs;
  Status stored;
  for (uint64_t repeat = 1; repeat <= flags.repeat; ++repeat) {
    ASSIGN_OR_RETURN(Run run, RunOnce(invocation, flags, *application, repeat));
    stored = store->SaveRun(run).While("the run is not stored");
    runs.push_back(std::move(run));
    OutcomeKind outcome = runs.back().outcome.kind;
    bool pointless = outcome == OutcomeKind::kInterrupted ||
                     outcome == OutcomeKind::kRejected;
    if (!stored.ok() || pointless) break;
  }
  // Printed in any case: a full disk must not take the result with it.
  PrintRuns(invocation.output, runs);
  if (!stored.ok()) return stored.error();
  bool told = invocation.output.format() == OutputFormat::kTable &&
              runs.size() == 1;  // the text has the notes
  if (!told && runs.front().application()) {
    for (const std::string& note : runs.front().application()->notes) {
      invocation.talk.Warn(note);
    }
  }
  return CodeOf(runs);
}

}  // namespace mete
