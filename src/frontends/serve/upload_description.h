// What predictions need to know of an uploaded network. The file comes from a
// stranger, so a process of its own reads it: this is also what that process
// answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "domain/characteristics.h"
#include "domain/input_shapes.h"
#include "domain/network_traits.h"
#include "ports/graph_reader.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Ten times what the largest published networks have. An upload has no folder,
// so its weights cannot be in other files.
inline constexpr GraphLimits kUploadGraph = {
    .most_nodes = 100'000, .most_parts = 1'000'000, .external_data = false};

// The sizes to use when describing an upload.
struct DescribeUpload {
  std::string name;  // in the traits
  int64_t batch = 1;
  std::vector<ShapeOverride> shapes;
};

// The description of an upload.
struct UploadDescription {
  LegacyCounts counts;
  std::optional<uint64_t> model_input_size;   // bytes
  std::optional<uint64_t> model_output_size;  // bytes
  std::vector<std::string> notes;
  std::optional<NetworkTraits> traits;  // absent: its sizes are open
};

// Describes the file in this process. Fails as the reader and Describe do.
Result<UploadDescription> DescribeUploadedFile(
    const std::filesystem::path& file, const DescribeUpload& how,
    GraphReader& reader, const GraphLimits& limits);

// A process that describes uploads: `program bench describe FILE …`.
struct UploadProcess {
  std::filesystem::path program;  // mete itself
  Bytes memory = Gibibytes(2);
  std::chrono::seconds cpu{30};
  std::chrono::seconds patience{120};  // of all, also waiting for the disk
};

// Describes the file in such a process. Fails with kUnsupported if it needs
// more memory, with kTimeout if it needs more time, with kCorrupt if it is not
// a network or the process dies of it, and with kUnavailable if the process
// cannot be started.
Result<UploadDescription> DescribeInProcess(const std::filesystem::path& file,
                                            const DescribeUpload& how,
                                            const UploadProcess& process);

// The process: describes the file and returns its answer as one line.
std::string DescribeForParent(const std::filesystem::path& file,
                              const DescribeUpload& how, GraphReader& reader);

}  // namespace mete
