#include "adapters/onnxruntime/session_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace mete {
namespace {

constexpr std::string_view kSuffix = "ExecutionProvider";
constexpr auto kOptionCode = ErrorCode::kUnsupported;

std::string ShortProvider(const std::string& name) {
  return name.ends_with(kSuffix) ? name.substr(0, name.size() - kSuffix.size())
                                 : name;
}

std::string LowerCase(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

GraphOptimizationLevel LevelFor(const std::string& name) {
  if (name == "none") return ORT_DISABLE_ALL;
  if (name == "basic") return ORT_ENABLE_BASIC;
  if (name == "extended") return ORT_ENABLE_EXTENDED;
  return ORT_ENABLE_ALL;
}

using CudaOptions =
    OrtHandle<OrtCUDAProviderOptionsV2, &OrtApi::ReleaseCUDAProviderOptions>;
using TensorRtOptions = OrtHandle<OrtTensorRTProviderOptionsV2,
                                  &OrtApi::ReleaseTensorRTProviderOptions>;

// The two largest providers have functions of their own.
Status AppendProvider(const OrtApi& api, const std::string& provider,
                      OrtSessionOptions* raw) {
  std::string name = ShortProvider(provider);
  if (name == "CPU") return {};
  if (name == "CUDA") {
    ASSIGN_OR_RETURN(
        auto options,
        Make<CudaOptions>(api, kOptionCode, api.CreateCUDAProviderOptions));
    return FromOrt(
        api,
        api.SessionOptionsAppendExecutionProvider_CUDA_V2(raw, options.get()),
        kOptionCode);
  }
  if (name == "Tensorrt") {
    ASSIGN_OR_RETURN(auto options,
                     Make<TensorRtOptions>(api, kOptionCode,
                                           api.CreateTensorRTProviderOptions));
    return FromOrt(api,
                   api.SessionOptionsAppendExecutionProvider_TensorRT_V2(
                       raw, options.get()),
                   kOptionCode);
  }
  return FromOrt(api,
                 api.SessionOptionsAppendExecutionProvider(raw, name.c_str(),
                                                           nullptr, nullptr, 0),
                 kOptionCode);
}

Status SetSpinning(const OrtApi& api, bool spinning, OrtSessionOptions* raw) {
  for (const char* key :
       {"session.intra_op.allow_spinning", "session.inter_op.allow_spinning"}) {
    RETURN_IF_ERROR(
        FromOrt(api, api.AddSessionConfigEntry(raw, key, spinning ? "1" : "0"),
                kOptionCode));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> ListProviders(const OrtApi& api) {
  char** names = nullptr;
  int count = 0;
  RETURN_IF_ERROR(
      FromOrt(api, api.GetAvailableProviders(&names, &count), kOptionCode));
  std::vector<std::string> providers(names, names + count);
  RETURN_IF_ERROR(
      FromOrt(api, api.ReleaseAvailableProviders(names, count), kOptionCode));
  return providers;
}

Result<std::string> FindProvider(const std::string& asked,
                                 const std::vector<std::string>& available) {
  std::vector<std::string> names;
  for (const std::string& provider : available) {
    std::string wanted = LowerCase(asked);
    bool same = wanted == LowerCase(provider) ||
                wanted == LowerCase(ShortProvider(provider));
    if (same) return provider;
    names.push_back(ShortProvider(provider));
  }
  return Unsupported(
      fmt::format("this ONNX Runtime has no execution provider '{}'; it has {}",
                  asked, fmt::join(names, ", ")));
}

Status ApplyOptions(const OrtApi& api, const EngineOptions& options,
                    OrtSessionOptions* raw) {
  auto check = [&](OrtStatus* status) {
    return FromOrt(api, status, kOptionCode);
  };
  bool parallel = options.inter_op_threads > 1;
  RETURN_IF_ERROR(
      check(api.SetInterOpNumThreads(raw, options.inter_op_threads)));
  RETURN_IF_ERROR(check(api.SetSessionExecutionMode(
      raw, parallel ? ORT_PARALLEL : ORT_SEQUENTIAL)));
  RETURN_IF_ERROR(check(api.SetSessionGraphOptimizationLevel(
      raw, LevelFor(options.optimization))));
  if (options.spinning) {
    RETURN_IF_ERROR(SetSpinning(api, *options.spinning, raw));
  }
  if (options.memory_arena) {
    RETURN_IF_ERROR(check(*options.memory_arena ? api.EnableCpuMemArena(raw)
                                                : api.DisableCpuMemArena(raw)));
  }
  if (options.provider.empty()) return {};
  ASSIGN_OR_RETURN(std::vector<std::string> available, ListProviders(api));
  ASSIGN_OR_RETURN(std::string provider,
                   FindProvider(options.provider, available));
  return AppendProvider(api, provider, raw).While(provider);
}

}  // namespace mete
