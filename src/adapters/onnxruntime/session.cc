#include "adapters/onnxruntime/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "adapters/onnxruntime/input_check.h"
#include "adapters/onnxruntime/profile.h"
#include "adapters/onnxruntime/session_options.h"
#include "ports/network_file.h"

namespace mete {
namespace {

// The library numbers element types like ONNX up to bfloat16; ElementType uses
// the same numbers.
static_assert(int{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT} ==
              int(ElementType::kFloat));
static_assert(int{ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16} ==
              int(ElementType::kBfloat16));

// Reads a tensor's element type and shape from the library.
Result<ValueType> ReadType(const OrtApi& api,
                           const OrtTensorTypeAndShapeInfo* info) {
  auto type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  constexpr auto kCode = ErrorCode::kUnsupported;
  RETURN_IF_ERROR(FromOrt(api, api.GetTensorElementType(info, &type), kCode));
  RETURN_IF_ERROR(FromOrt(api, api.GetDimensionsCount(info, &rank), kCode));
  std::vector<int64_t> sizes(rank);
  std::vector<const char*> symbols(rank, nullptr);
  RETURN_IF_ERROR(
      FromOrt(api, api.GetDimensions(info, sizes.data(), rank), kCode));
  RETURN_IF_ERROR(FromOrt(
      api, api.GetSymbolicDimensions(info, symbols.data(), rank), kCode));
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] >= 0) shape[i].size = sizes[i];
    if (symbols[i] != nullptr) shape[i].symbol = symbols[i];
  }
  return ValueType{.type = static_cast<ElementType>(type),
                   .shape = std::move(shape)};
}

// Checked with the system first: the engine distinguishes a missing file from
// an unreadable one only in its message.
Status CheckReadable(const std::filesystem::path& path) {
  RETURN_IF_ERROR(CheckMayBeNetwork(path));
  if (access(path.c_str(), R_OK) != 0) {
    return SystemError("load " + path.string(), errno);
  }
  return {};
}

// "Load model from bad.onnx failed:Protobuf parsing failed." in our words.
Error ExplainLoadError(const Error& error, const std::filesystem::path& path) {
  std::string message = error.message();
  if (message.find("Protobuf parsing failed") != std::string::npos) {
    return Corrupt("read " + path.string() +
                   ": not an ONNX network, or truncated");
  }
  const std::string act = "Load model from " + path.string() + " failed:";
  if (message.starts_with(act)) message = message.substr(act.size());
  return Error(error.code(), "load " + path.string() + ": " + message);
}

}  // namespace

Result<std::unique_ptr<EngineSession>> OnnxRuntimeSession::Load(
    std::shared_ptr<const OrtRuntime> runtime, const LoadRequest& request) {
  CHECK(request.threads >= 1) << request.threads << " threads";
  RETURN_IF_ERROR(CheckReadable(request.path));
  auto session = std::unique_ptr<OnnxRuntimeSession>(
      new OnnxRuntimeSession(std::move(runtime)));
  if (Status opened = session->Open(request); !opened.ok()) {
    return ExplainLoadError(opened.error(), request.path);
  }
  return std::unique_ptr<EngineSession>(std::move(session));
}

Status OnnxRuntimeSession::Open(const LoadRequest& request) {
  ASSIGN_OR_RETURN(OptionsHandle options, MakeOptions(request));
  auto made = Make<SessionHandle>(api(), ErrorCode::kUnsupported,
                                  api().CreateSession, runtime_->env.get(),
                                  request.path.c_str(), options.get());
  if (!made.ok()) {
    // When loading, an invalid argument can only be the file.
    bool file = made.error().code() == ErrorCode::kInvalidInput;
    return file ? Corrupt(made.error().message()) : made.error();
  }
  session_ = *std::move(made);
  RETURN_IF_ERROR(ReadInputs());
  return ReadOutputNames();
}

Result<OptionsHandle> OnnxRuntimeSession::MakeOptions(
    const LoadRequest& request) {
  constexpr auto kCode = ErrorCode::kUnsupported;
  ASSIGN_OR_RETURN(auto options, Make<OptionsHandle>(
                                     api(), kCode, api().CreateSessionOptions));
  OrtSessionOptions* raw = options.get();
  auto check = [&](OrtStatus* status) { return FromOrt(api(), status, kCode); };
  RETURN_IF_ERROR(check(api().SetIntraOpNumThreads(raw, request.threads)));
  RETURN_IF_ERROR(ApplyOptions(api(), request.options, raw));
  if (request.profile) {
    ASSIGN_OR_RETURN(profile_folder_, ScratchFolder::Create());
    auto prefix = profile_folder_->path() / "profile";
    RETURN_IF_ERROR(check(api().EnableProfiling(raw, prefix.c_str())));
  }
  return options;
}

Status OnnxRuntimeSession::ReadInputs() {
  constexpr auto kCode = ErrorCode::kUnsupported;
  size_t count = 0;
  RETURN_IF_ERROR(FromOrt(
      api(), api().SessionGetInputCount(session_.get(), &count), kCode));
  for (size_t i = 0; i < count; ++i) {
    char* text = nullptr;
    RETURN_IF_ERROR(FromOrt(api(),
                            api().SessionGetInputName(
                                session_.get(), i, runtime_->allocator, &text),
                            kCode));
    std::string name = TakeText(text);
    ASSIGN_OR_RETURN(
        auto type, Make<TypeHandle>(api(), kCode, api().SessionGetInputTypeInfo,
                                    session_.get(), i));
    const OrtTensorTypeAndShapeInfo* tensor = nullptr;  // owned by type
    RETURN_IF_ERROR(FromOrt(
        api(), api().CastTypeInfoToTensorInfo(type.get(), &tensor), kCode));
    if (tensor == nullptr) {
      return Unsupported(fmt::format("the input '{}' is not a tensor", name));
    }
    ASSIGN_OR_RETURN(auto value_type, ReadType(api(), tensor));
    inputs_.push_back({.name = std::move(name), .type = std::move(value_type)});
  }
  for (const GraphValue& input : inputs_) {
    raw_input_names_.push_back(input.name.c_str());
  }
  return {};
}

Status OnnxRuntimeSession::ReadOutputNames() {
  constexpr auto kCode = ErrorCode::kUnsupported;
  size_t count = 0;
  RETURN_IF_ERROR(FromOrt(
      api(), api().SessionGetOutputCount(session_.get(), &count), kCode));
  for (size_t i = 0; i < count; ++i) {
    char* text = nullptr;
    RETURN_IF_ERROR(FromOrt(api(),
                            api().SessionGetOutputName(
                                session_.get(), i, runtime_->allocator, &text),
                            kCode));
    output_names_.push_back(TakeText(text));
  }
  for (const std::string& name : output_names_) {
    raw_output_names_.push_back(name.c_str());
  }
  outputs_.emplace(api(), count);
  return {};
}

std::string OnnxRuntimeSession::TakeText(char* text) const {
  std::string copy(text);
  runtime_->allocator->Free(runtime_->allocator, text);
  return copy;
}

Status OnnxRuntimeSession::SetInputs(std::span<const TensorValue> values) {
  ASSIGN_OR_RETURN(auto order, MatchInputs(inputs_, values));
  std::vector<ValueHandle> made;
  for (size_t index : order) {
    ASSIGN_OR_RETURN(ValueHandle tensor, MakeTensor(values[index]));
    made.push_back(std::move(tensor));
  }
  input_values_ = std::move(made);
  raw_inputs_.clear();
  for (const ValueHandle& value : input_values_) {
    raw_inputs_.push_back(value.get());
  }
  return {};
}

Result<ValueHandle> OnnxRuntimeSession::MakeTensor(
    const TensorValue& value) const {
  constexpr auto kCode = ErrorCode::kInvalidInput;
  auto type = static_cast<ONNXTensorElementDataType>(value.type);
  ASSIGN_OR_RETURN(auto tensor,
                   Make<ValueHandle>(api(), kCode, api().CreateTensorAsOrtValue,
                                     runtime_->allocator, value.sizes.data(),
                                     value.sizes.size(), type));
  void* content = nullptr;
  RETURN_IF_ERROR(FromOrt(
      api(), api().GetTensorMutableData(tensor.get(), &content), kCode));
  if (!value.bytes.empty()) {
    std::memcpy(content, value.bytes.data(), value.bytes.size());
  }
  return tensor;
}

Status OnnxRuntimeSession::Run() {
  if (raw_inputs_.size() != inputs_.size()) {
    return InvalidInput("run: inputs are not set");
  }
  // The call needs empty slots. Passing in the old outputs to be overwritten
  // would avoid an allocation that every real caller pays for.
  ReleaseOutputs();
  return FromOrt(
      api(),
      api().Run(session_.get(), nullptr, raw_input_names_.data(),
                raw_inputs_.data(), raw_inputs_.size(),
                raw_output_names_.data(), outputs_->size(), outputs_->data()),
      ErrorCode::kUnavailable);
}

Result<std::vector<TensorValue>> OnnxRuntimeSession::Outputs() {
  std::vector<TensorValue> outputs;
  for (size_t i = 0; i < outputs_->size(); ++i) {
    ASSIGN_OR_RETURN(auto output, CopyOutput(i));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

void OnnxRuntimeSession::ReleaseOutputs() { outputs_->Clear(); }

Result<TensorValue> OnnxRuntimeSession::CopyOutput(size_t index) const {
  constexpr auto kCode = ErrorCode::kUnsupported;
  const std::string& name = output_names_[index];
  OrtValue* value = outputs_->at(index);
  if (value == nullptr) {
    return InvalidInput(fmt::format("read output '{}': nothing has run", name));
  }
  int is_tensor = 0;
  RETURN_IF_ERROR(FromOrt(api(), api().IsTensor(value, &is_tensor), kCode));
  if (is_tensor == 0) {
    return Unsupported(fmt::format("read output '{}': is not a tensor", name));
  }
  ASSIGN_OR_RETURN(
      auto info,
      Make<TensorTypeHandle>(api(), kCode, api().GetTensorTypeAndShape, value));
  ASSIGN_OR_RETURN(ValueType type, ReadType(api(), info.get()));
  auto bytes = ByteCount(type.type, *type.shape);
  if (!bytes) {
    return Unsupported(fmt::format("read output '{}': {} elements have no size",
                                   name, ToString(type.type)));
  }
  void* content = nullptr;
  RETURN_IF_ERROR(
      FromOrt(api(), api().GetTensorMutableData(value, &content), kCode));
  TensorValue copy{.name = name, .type = type.type};
  for (const Dimension& axis : *type.shape) copy.sizes.push_back(*axis.size);
  auto* begin = static_cast<const std::byte*>(content);
  copy.bytes.assign(begin, begin + *bytes);
  return copy;
}

Result<std::vector<NodeTime>> OnnxRuntimeSession::NodeTimes() {
  if (!profile_folder_) {
    return Unsupported("read node times: the network was loaded without them");
  }
  char* text = nullptr;
  RETURN_IF_ERROR(FromOrt(
      api(),
      api().SessionEndProfiling(session_.get(), runtime_->allocator, &text),
      ErrorCode::kUnavailable));
  std::ifstream profile(TakeText(text));
  return ReadProfile(profile);
}

}  // namespace mete
