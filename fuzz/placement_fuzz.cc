// Reads arbitrary text as every file of mete place: apps.yaml, servers.yaml, a
// cost table, plan.json and the record of a service. What is accepted must
// survive being written and read again.
#include "fuzz/input.h"
#include "hosting/service_files.h"
#include "place/cost_table.h"
#include "place/plan_json.h"
#include "place/problem_yaml.h"
#include "support/check.h"
#include "support/json.h"

namespace mete {
namespace {

void CheckYaml(const std::string& text) {
  if (auto apps = ParseApps(text, "apps.yaml"); apps.ok()) {
    const std::string written = AppsYaml(*apps);
    auto again = ParseApps(written, "again");
    CHECK(again.ok()) << again.error().message();
    CHECK(AppsYaml(*again) == written);
  }
  if (auto servers = ParseServers(text, "servers.yaml"); servers.ok()) {
    const std::string written = ServersYaml(*servers);
    auto again = ParseServers(written, "again");
    CHECK(again.ok()) << again.error().message();
    CHECK(ServersYaml(*again) == written);
  }
  if (auto table = ParseCostTable(text, "costs.yaml"); table.ok()) {
    const TableCosts costs(*table, "costs.yaml");
    for (const std::string& name : costs.Applications()) {
      auto pressure = costs.PressureOf(name, 1);
      CHECK(pressure.ok() && pressure->size() == costs.pressures());
    }
  }
}

void CheckJson(const std::string& text) {
  auto json = ParseJson(text);
  if (!json.ok()) return;
  if (auto plan = PlanFromJson(*json); plan.ok()) {
    const std::string written = DumpJson(PlanToJson(*plan));
    auto again = PlanFromJson(*ParseJson(written));
    CHECK(again.ok()) << again.error().message();
    CHECK(DumpJson(PlanToJson(*again)) == written);
  }
  if (auto service = HostedServiceFromJson(*json); service.ok()) {
    CHECK(HostedServiceFromJson(HostedServiceToJson(*service)).ok());
  }
}

}  // namespace
}  // namespace mete

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string text(fuzz::ToText(bytes, size));
  mete::CheckYaml(text);
  mete::CheckJson(text);
  return 0;
}
