#include "adapters/onnxruntime/engine.h"

#include "adapters/onnxruntime/handles.h"
#include "adapters/onnxruntime/library.h"
#include "adapters/onnxruntime/session.h"

namespace mete {
namespace {

Result<std::shared_ptr<const OrtRuntime>> MakeRuntime(const OrtApi& api) {
  constexpr auto kCode = ErrorCode::kUnavailable;
  auto runtime = std::make_shared<OrtRuntime>();
  runtime->api = &api;
  // The library's warnings are about its own optimizer, and errors are returned
  // as values; its log would only disturb ours.
  ASSIGN_OR_RETURN(runtime->env,
                   Make<EnvHandle>(api, kCode, api.CreateEnv,
                                   ORT_LOGGING_LEVEL_FATAL, "mete"));
  RETURN_IF_ERROR(
      FromOrt(api, api.DisableTelemetryEvents(runtime->env.get()), kCode));
  RETURN_IF_ERROR(FromOrt(
      api, api.GetAllocatorWithDefaultOptions(&runtime->allocator), kCode));
  return std::shared_ptr<const OrtRuntime>(std::move(runtime));
}

}  // namespace

OnnxRuntimeEngine::OnnxRuntimeEngine(std::shared_ptr<const OrtRuntime> runtime,
                                     std::string version)
    : runtime_(std::move(runtime)), version_(std::move(version)) {}

Result<std::unique_ptr<OnnxRuntimeEngine>> OnnxRuntimeEngine::Open(
    const std::filesystem::path& override_path) {
  ASSIGN_OR_RETURN(OrtLibrary library,
                   OpenOrtLibrary(OrtLibraryCandidates(override_path)));
  auto runtime = MakeRuntime(*library.api);
  if (!runtime.ok()) return runtime.error().While("start ONNX Runtime");
  return std::unique_ptr<OnnxRuntimeEngine>(
      new OnnxRuntimeEngine(*std::move(runtime), std::move(library.version)));
}

EngineVersion OnnxRuntimeEngine::version() const {
  return {.name = "onnxruntime", .version = version_};
}

Result<std::unique_ptr<EngineSession>> OnnxRuntimeEngine::Load(
    const LoadRequest& request) {
  return OnnxRuntimeSession::Load(runtime_, request);
}

}  // namespace mete
