#include "linux/throttling.h"

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

// The hwmon device of the Raspberry Pi firmware driver, "rpi_volt".
std::optional<WatchedFile> FindVoltageAlarm(const SystemRoot& root) {
  const path folder = "/sys/class/hwmon";
  for (const std::string& chip : root.Names(folder)) {
    if (root.Line(folder / chip / "name") != "rpi_volt") continue;
    return WatchedFile(root, folder / chip / "in0_lcrit_alarm");
  }
  return std::nullopt;
}

}  // namespace

std::vector<ThrottlingReader::Core> ThrottlingReader::FindCores(
    const SystemRoot& root) {
  const path folder = "/sys/devices/system/cpu";
  std::vector<Core> found;
  for (const std::string& name : root.Names(folder)) {
    auto number = NumberAfter(name, "cpu");
    const path counter = folder / name / "thermal_throttle/core_throttle_count";
    if (number && root.Exists(counter)) {
      found.push_back({*number, WatchedFile(root, counter)});
    }
  }
  return found;
}

ThrottlingReader::ThrottlingReader(const SystemRoot& root)
    : cores_(FindCores(root)), voltage_alarm_(FindVoltageAlarm(root)) {
  const path folder = "/sys/class/thermal";
  for (const std::string& name : root.Names(folder)) {
    if (!NumberAfter(name, "cooling_device")) continue;
    auto most = root.Number(folder / name / "max_state");
    if (!most || *most <= 0) continue;
    std::string kind = root.Line(folder / name / "type").value_or("");
    coolers_.push_back(
        {.source = name + "/" + kind,
         .most = static_cast<double>(*most),
         .state = WatchedFile(root, folder / name / "cur_state")});
  }
}

Throttling ThrottlingReader::Read() {
  Throttling throttling;
  for (Core& core : cores_) {
    auto count = core.file.Count();
    if (count) throttling.cores.push_back({core.number, *count});
  }
  for (Cooler& cooler : coolers_) {
    auto state = cooler.state.Count();
    if (!state) continue;
    throttling.cooling.push_back(
        {cooler.source, static_cast<double>(*state) / cooler.most});
  }
  if (voltage_alarm_) {
    auto alarm = voltage_alarm_->Count();
    if (alarm) throttling.under_voltage = *alarm != 0;
  }
  return throttling;
}

}  // namespace mete
