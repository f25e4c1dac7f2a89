#include "cli/measure_application.h"

#include <fmt/format.h>

#include "cli/application_services.h"
#include "cli/version.h"
#include "devices/this_device.h"
#include "domain/run_json.h"
#include "measure/application_spec.h"
#include "measure/application_text.h"
#include "measure/container_options.h"
#include "measure/prepare_application.h"
#include "measure/recorded_run.h"
#include "measure/run_table.h"
#include "support/words.h"

namespace mete {
namespace {

using Words = std::vector<std::string>;

// The container that --image and its options describe.
Status FillContainer(const ApplicationFlags& flags, ApplicationSpec& spec) {
  const std::filesystem::path here = std::filesystem::current_path();
  ContainerOptions options{.settings = {.image = flags.image}};
  for (const std::string& text : flags.mounts) {
    ASSIGN_OR_RETURN(Mount mount, ParseMount(text, here));
    options.settings.mounts.push_back(std::move(mount));
  }
  for (const std::string& text : flags.docker_arguments) {
    ASSIGN_OR_RETURN(auto words, SplitWords(text));
    RETURN_IF_ERROR(
        ReadContainerOptions(words, here, options).While("--docker-arg"));
  }
  spec.container = std::move(options.settings);
  spec.environment.merge(options.environment);
  ASSIGN_OR_RETURN(spec.pull, ParsePullPolicy(flags.pull));
  return {};
}

// The words of the command line as what to run.
Result<ApplicationSpec> SpecOf(const ApplicationFlags& flags,
                               const Words& words) {
  ApplicationSpec spec{.command = words,
                       .dataset = flags.dataset,
                       .limits = {.threads = flags.threads,
                                  .cpuset = flags.cpuset,
                                  .processes = flags.processes,
                                  .swap = flags.swap},
                       .repeat = flags.repeat};
  if (flags.memory) {
    ASSIGN_OR_RETURN(spec.limits.memory, ParseBytes(*flags.memory));
  }
  if (flags.cpus) {
    ASSIGN_OR_RETURN(spec.limits.cpus, ParseMillicores(*flags.cpus));
  }
  if (flags.timeout) {
    ASSIGN_OR_RETURN(spec.timeout, ParseTimeout(*flags.timeout));
  }
  ASSIGN_OR_RETURN(spec.grace, ParseDuration(flags.grace));
  ASSIGN_OR_RETURN(spec.sample_hertz, ParseHertz(flags.sample));
  for (const std::string& text : flags.environment) {
    ASSIGN_OR_RETURN(auto variable, ParseVariable(text));
    spec.environment.insert_or_assign(variable.first, variable.second);
  }
  if (!flags.image.empty()) RETURN_IF_ERROR(FillContainer(flags, spec));
  return spec;
}

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

void Print(Invocation& invocation, const std::vector<Run>& runs) {
  bool one = runs.size() == 1;
  invocation.output.Print({
      .text = [&] { return one ? RunText(runs[0]) : RepeatText(runs); },
      .json = [&] { return one ? RunToJson(runs[0]) : RepeatJson(runs); },
      .csv = [&] { return RunCsv(runs); },
  });
}

}  // namespace

namespace {

void AddContainerFlags(Command command, ApplicationFlags& flags,
                       std::vector<std::string>& added) {
  added.insert(added.end(), {"--image", "--pull", "--mount", "--docker-arg",
                             "--allow-privileged"});
  command.Option("--image", flags.image,
                 "Run this container image (arguments after --)");
  command
      .Option("--pull", flags.pull,
              "Image: fetch when missing (default), always or never")
      .Check(ParsePullPolicy, "WHEN");
  command.Option("--mount", flags.mounts, "Image: show a folder, data:/data:ro")
      .OneEach();
  command
      .Option("--docker-arg", flags.docker_arguments,
              "Image: an option of docker run, '--network none'")
      .OneEach();
  command.Switch("--allow-privileged", flags.allow_privileged,
                 "Image: may get more power over the machine");
}

}  // namespace

std::vector<std::string> AddApplicationFlags(Command command,
                                             ApplicationFlags& flags) {
  std::vector<std::string> added = {"--swap"};
  auto add = [&](const std::string& name, auto& value,
                 const std::string& description) {
    added.push_back(name);
    return command.Option(name, value, description);
  };
  add("--memory", flags.memory, "Command: memory limit, 512Mi")
      .Check(ParseBytes, "BYTES");
  add("--cpus", flags.cpus, "Command: CPU limit, 0.5 or 500m")
      .Check(ParseMillicores, "CPUS");
  add("--cpuset", flags.cpuset, "Command: cores it may use, 0-2,4");
  add("--processes", flags.processes, "Command: processes and threads at most")
      .Check(ParseCount, "N");
  command.Switch("--swap", flags.swap,
                 "Command: may swap past the memory limit");
  add("--timeout", flags.timeout, "Command: end it after this time, 60s")
      .Check(ParseTimeout, "DURATION");
  add("--grace", flags.grace, "Command: from SIGTERM to SIGKILL (default 5s)")
      .Check(ParseDuration, "DURATION");
  add("--repeat", flags.repeat, "Command: run it so many times (default 1)")
      .Within(1, 10'000);
  add("--sample", flags.sample, "Command: samples a second (default 10Hz)")
      .Check(ParseHertz, "RATE");
  add("--env", flags.environment, "Command: a variable, NAME=VALUE")
      .Check(ParseVariable, "NAME=VALUE")
      .OneEach();
  add("--dataset", flags.dataset,
      "Command: its data; the path is in METE_DATASET");
  add("--out", flags.out, "Command: folder for samples.csv and app.log");
  AddContainerFlags(command, flags, added);
  return added;
}

Result<ExitCode> MeasureApplication(Invocation& invocation,
                                    const ApplicationFlags& flags) {
  Services& services = invocation.services;
  ASSIGN_OR_RETURN(RunStore * store, services.Store());
  ASSIGN_OR_RETURN(
      Device device,
      RegisterThisDevice(*store, services.ThisHost(), services.TheClock()));
  ASSIGN_OR_RETURN(ApplicationSpec spec,
                   SpecOf(flags, invocation.command.value_or(Words())));
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
  Print(invocation, runs);
  if (!stored.ok()) return stored.error();
  bool told = invocation.output.format() == OutputFormat::kTable &&
              runs.size() == 1;  // the text has the notes
  if (!told && runs.front().application) {
    for (const std::string& note : runs.front().application->notes) {
      invocation.talk.Warn(note);
    }
  }
  return CodeOf(runs);
}

}  // namespace mete
