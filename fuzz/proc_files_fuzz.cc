// Reads a machine whose files in /proc, /sys and /etc have arbitrary contents.
// Nothing may crash, hang or overflow.
#include "fuzz/input.h"
#include "fuzz/machine_files.h"
#include "linux/container_names.h"
#include "linux/file_systems.h"
#include "linux/gpu_facts.h"
#include "linux/host_usage.h"
#include "linux/host_usage_reader.h"
#include "linux/machine_facts.h"
#include "linux/machine_kind.h"
#include "linux/process_usage.h"
#include "linux/program_name.h"
#include "linux/throttling.h"
#include "linux/tree_usage.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  mete::ParseCoreTimes(text);
  mete::ParseHostMemory(text);
  mete::ParsePressure(text);

  const mete::MachineFiles machine(text);
  const mete::SystemRoot& root = machine.root();
  const mete::KernelAnswers kernel{.architecture = "aarch64", .cores = 4};
  static_cast<void>(mete::ReadDeviceFacts(root, kernel).ok());
  mete::ReadMachineState(root, kernel);
  mete::ReadMachineKind(root);
  mete::ReadRapl(root);
  mete::ReadGpus(root);
  mete::HostUsageReader(root).Read(std::chrono::seconds(0));
  mete::ThrottlingReader(root).Read();
  mete::FindFileSystems(root);
  mete::ReadProcessUsage(root, 4242);
  mete::ReadProportionalMemory(root, 4242);
  mete::ReadTreeUsage(root, 4242);
  mete::ReadUsageBelow(root, 4242);
  mete::ReadOwnTraffic(root, 4242);
  mete::ProgramName(root, 4242);
  mete::ContainerNames(root).Refresh();
  return 0;
}
