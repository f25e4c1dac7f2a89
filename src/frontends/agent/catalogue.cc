#include "agent/catalogue.h"

#include <fmt/format.h>

#include "agent/agent_metrics.h"
#include "agent/application_metrics.h"
#include "agent/characterization_metrics.h"
#include "agent/container_metrics.h"
#include "agent/device_metrics.h"
#include "agent/engine_metrics.h"
#include "agent/gpu_metrics.h"
#include "agent/legacy_metrics.h"

namespace mete {
namespace {

template <typename Families>
std::vector<const MetricFamily*> ListFamilies(const Families& families) {
  return {families.begin(), families.end()};
}

std::string OrDash(std::string_view text) {
  return text.empty() ? "-" : std::string(text);
}

}  // namespace

std::vector<MetricChapter> MetricCatalogue() {
  return {
      {"Device", "Every series also has the label `node`.",
       ListFamilies(kDeviceFamilies)},
      {"Inference engine", "Every series also has the label `node`.",
       ListFamilies(kEngineFamilies)},
      {"Containers and services",
       "Every series also has the label `node`. `container` is the short ID of "
       "a container or the name of a service; "
       "`runtime` is docker, containerd, crio, podman, systemd, mete or other; "
       "`pod` is the UID of a pod.",
       ListFamilies(kContainerFamilies)},
      {"GPUs", "", ListFamilies(kGpuFamilies)},
      {"Applications with hooks",
       "Every series `mete_app…` also has the label `node`.",
       ListFamilies(kApplicationFamilies)},
      {"EdgeCloud-Mon characterization agent",
       "Every series also has the labels `char_node_name`, `char_node_class` "
       "and `char_node_uuid`.",
       ListFamilies(kCharacterizationFamilies)},
      {"WaAP live profiling", "Exported only with `--compat`.",
       ListFamilies(kLegacyFamilies)},
      {"Agent", "", ListFamilies(kAgentFamilies)},
  };
}

std::string CatalogueMarkdown(const std::vector<MetricChapter>& chapters) {
  std::string page;
  for (const MetricChapter& chapter : chapters) {
    page += fmt::format("## {}\n", chapter.title);
    if (!chapter.remark.empty()) page += fmt::format("{}\n", chapter.remark);
    page +=
        "\n| name | kind | unit | labels | meaning | notes |\n"
        "|---|---|---|---|---|---|\n";
    for (const MetricFamily* family : chapter.families) {
      page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", family->name,
                          ToString(family->kind), OrDash(family->unit),
                          OrDash(family->labels), family->help,
                          OrDash(family->caveat));
    }
    page += "\n";
  }
  return page;
}

}  // namespace mete
