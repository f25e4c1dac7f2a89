#include "adapters/host/device_id.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "support/file.h"
#include "support/private_folder.h"
#include "support/sha256.h"

namespace mete {
namespace {

constexpr const char* kKeptFile = "device-id";

std::string Anonymous(const std::string& secret) {
  return ComputeSha256("mete device " + secret).substr(0, 16);
}

// 32 hex digits; images that were never booted contain "uninitialized".
bool IsMachineId(const std::string& text) {
  return text.size() == 32 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos &&
         text.find_first_not_of('0') != std::string::npos;
}

std::optional<std::string> MachineId(const SystemRoot& root) {
  for (const char* file : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
    auto id = root.Line(file);
    if (id && IsMachineId(*id)) return id;
  }
  return std::nullopt;
}

// Readable only by root. Boards without a serial number repeat one digit.
std::optional<std::string> BoardId(const SystemRoot& root) {
  auto id = root.Line("/sys/class/dmi/id/product_uuid");
  if (!id || id->size() != 36) return std::nullopt;
  bool dull = std::all_of(id->begin(), id->end(),
                          [&](char c) { return c == '-' || c == id->front(); });
  if (dull) return std::nullopt;
  return id;
}

Result<std::string> KeepNewId(const std::filesystem::path& folder) {
  RETURN_IF_ERROR(MakePrivateFolder(folder));
  std::random_device random;
  std::string id = fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(),
                               random(), random());
  // If several processes start at once the first wins and all use its id: a
  // link never replaces a file.
  const auto kept = folder / kKeptFile;
  const auto own = folder / fmt::format("{}.{}", kKeptFile, id);
  RETURN_IF_ERROR(WriteFileAtomically(own, id + "\n"));
  bool first = link(own.c_str(), kept.c_str()) == 0;
  int refused = errno;
  std::error_code ignored;
  std::filesystem::remove(own, ignored);
  if (first) return id;
  auto others = SystemRoot().Line(kept);
  if (others && IsMachineId(*others)) return *others;
  // The existing file contains no id, as after a full disk.
  if (refused != EEXIST) return SystemError("create " + kept.string(), refused);
  RETURN_IF_ERROR(WriteFileAtomically(kept, id + "\n"));
  return id;
}

}  // namespace

Result<std::string> ReadDeviceId(const SystemRoot& root,
                                 const std::filesystem::path& state_folder) {
  if (auto id = MachineId(root)) return Anonymous(*id);
  // Before the mainboard's: only root can read that one, and an id must not
  // change once it was used.
  auto kept = SystemRoot().Line(state_folder / kKeptFile);
  if (kept && IsMachineId(*kept)) return Anonymous(*kept);
  if (auto id = BoardId(root)) return Anonymous(*id);
  ASSIGN_OR_RETURN(
      std::string id,
      KeepNewId(state_folder).While("create an id for this device"));
  return Anonymous(id);
}

}  // namespace mete
