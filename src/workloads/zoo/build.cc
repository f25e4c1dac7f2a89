#include "zoo/build.h"

#include <system_error>

#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

Status CreateFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return SystemError("create " + folder.string(), error.value());
  return {};
}

Result<BuiltNetwork> BuildOne(const NetworkDraft& draft,
                              const std::filesystem::path& folder,
                              GraphWriter& writer) {
  BuiltNetwork built{.name = draft.graph.name,
                     .path = folder / (draft.graph.name + ".onnx"),
                     .parameters = TrainableParameters(draft)};
  RETURN_IF_ERROR(writer.Write(draft, built.path));
  std::error_code error;
  built.bytes = {std::filesystem::file_size(built.path, error)};
  if (error) return SystemError("read " + built.path.string(), error.value());
  return built;
}

// The part that both requests share: `draft(i)` for i below `total`.
struct Batch {
  const std::filesystem::path& folder;
  size_t total;
  std::function<NetworkDraft(size_t)> draft;
};

Result<std::vector<BuiltNetwork>> Build(const Batch& batch, GraphWriter& writer,
                                        const OnBuildProgress& on_progress,
                                        const std::stop_token& stop) {
  RETURN_IF_ERROR(CreateFolder(batch.folder));
  std::vector<BuiltNetwork> built;
  for (size_t i = 0; i < batch.total; ++i) {
    if (stop.stop_requested()) {
      return Error(ErrorCode::kInterrupted, "write networks: stopped after " +
                                                std::to_string(i) + " of " +
                                                std::to_string(batch.total));
    }
    ASSIGN_OR_RETURN(BuiltNetwork one,
                     BuildOne(batch.draft(i), batch.folder, writer));
    built.push_back(std::move(one));
    if (on_progress) {
      on_progress({.last = built.back(), .done = i + 1, .total = batch.total});
    }
  }
  return built;
}

}  // namespace

Result<std::vector<BuiltNetwork>> BuildZoo(const ZooRequest& request,
                                           GraphWriter& writer,
                                           const OnBuildProgress& on_progress,
                                           std::stop_token stop) {
  const std::vector<std::string> names =
      request.names.empty() ? AllZooNames() : request.names;
  for (const std::string& name : names)
    RETURN_IF_ERROR(MakeDraft(name, request.seed));
  return Build(
      {.folder = request.folder,
       .total = names.size(),
       .draft = [&](size_t i) { return *MakeDraft(names[i], request.seed); }},
      writer, on_progress, stop);
}

Result<std::vector<BuiltNetwork>> BuildSamples(
    const SampleRequest& request, GraphWriter& writer,
    const OnBuildProgress& on_progress, std::stop_token stop) {
  return Build(
      {.folder = request.folder,
       .total = request.count,
       .draft = [&](size_t i) { return SampleDraft(request.seed, i); }},
      writer, on_progress, stop);
}

}  // namespace mete
