#include "cli/calibrate_command.h"

#include <fmt/format.h>

#include "cli/show_collecting.h"
#include "flags/version.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

struct CalibrateFlags {
  std::string device;
  int64_t networks = 10;
  std::string seconds = "1.5s";
};

Result<ExitCode> Calibrate(Invocation& invocation, const CalibrateFlags& flags,
                           const CalibrateDependencies& needs) {
  auto done = CalibrateDevice({.device = flags.device,
                               .networks = static_cast<size_t>(flags.networks),
                               .time = *ParseDuration(flags.seconds),
                               .mete_version = kVersion},
                              needs, ShowCollecting(invocation.console),
                              invocation.stop);
  invocation.console.ClearProgress();
  if (!done.ok()) return done.error();
  const bool saved = !done->file.empty();
  invocation.output.Print({
      .text =
          [&] {
            return fmt::format(
                "{}: {} with {}; median error {:.1f} % before, "
                "{:.1f} % after\n(each run predicted from the others)\n",
                done->device, saved ? "calibrated" : "not calibrated",
                Counted(done->runs, "run"), 100 * done->before,
                100 * done->after);
          },
      .json =
          [&] {
            Json json;
            json["device"] = done->device;
            json["runs"] = done->runs;
            json["median_relative_before"] = done->before;
            json["median_relative_after"] = done->after;
            json["saved"] = saved;
            return json;
          },
      .csv =
          [&] {
            return fmt::format(
                "device,runs,median_relative_before,median_relative_after,"
                "saved\n{},{},{},{},{}\n",
                done->device, done->runs, done->before, done->after, saved);
          },
  });
  if (!saved) {
    invocation.console.Warn(
        "not saved: the correction does not carry over from one network to "
        "another here and would make predictions worse; try more --networks, "
        "or check whether the machine was busy");
    return ExitCode::kInfeasible;
  }
  invocation.console.Note("saved " + done->file.string());
  return ExitCode::kDone;
}

}  // namespace

void AddCalibrateCommand(Command root, Verbs& verbs,
                         Lazy<CalibrateDependencies> dependencies) {
  auto flags = std::make_shared<CalibrateFlags>();
  Command command = root.Add(
      "calibrate", "Correct the predictor for a device it has not seen",
      "mete calibrate half --networks 10");
  command
      .Option("DEVICE", flags->device, "This machine or a device it emulates")
      .Required();
  command
      .Option("--networks", flags->networks,
              "Number of networks to run; the most informative are chosen "
              "(default 10)")
      .Within(2, 50);
  command
      .Option("--seconds", flags->seconds, "Duration of a run (default 1.5s)")
      .Check(ParseDuration, "DURATION");
  auto run = [flags, dependencies](Invocation& invocation) -> Result<ExitCode> {
    ASSIGN_OR_RETURN(CalibrateDependencies needs, dependencies());
    return Calibrate(invocation, *flags, needs);
  };
  verbs.push_back({.command = command, .run = run, .interruptible = true});
}

}  // namespace mete
