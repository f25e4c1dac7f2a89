// Owning handles for ONNX Runtime's C objects, and conversion of its errors.
// Only for the sources of this folder: it includes the whole C interface.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/result.h"

namespace mete {

// Deleter that returns an object to the library.
template <auto Release>
struct OrtRelease {
  const OrtApi* api = nullptr;
  template <typename T>
  void operator()(T* object) const {
    (api->*Release)(object);
  }
};

template <typename T, auto Release>
using OrtHandle = std::unique_ptr<T, OrtRelease<Release>>;

using EnvHandle = OrtHandle<OrtEnv, &OrtApi::ReleaseEnv>;
using StatusHandle = OrtHandle<OrtStatus, &OrtApi::ReleaseStatus>;
using OptionsHandle =
    OrtHandle<OrtSessionOptions, &OrtApi::ReleaseSessionOptions>;
using SessionHandle = OrtHandle<OrtSession, &OrtApi::ReleaseSession>;
using ValueHandle = OrtHandle<OrtValue, &OrtApi::ReleaseValue>;
using TypeHandle = OrtHandle<OrtTypeInfo, &OrtApi::ReleaseTypeInfo>;
using TensorTypeHandle = OrtHandle<OrtTensorTypeAndShapeInfo,
                                   &OrtApi::ReleaseTensorTypeAndShapeInfo>;

// Owns the outputs of a run, in the plain array that the C function fills.
class OutputSlots {
 public:
  OutputSlots(const OrtApi& api, size_t count)
      : api_(&api), values_(count, nullptr) {}
  OutputSlots(const OutputSlots&) = delete;
  OutputSlots& operator=(const OutputSlots&) = delete;
  ~OutputSlots() { Clear(); }

  // Releases the values; the slots stay.
  void Clear() {
    for (OrtValue*& value : values_) {
      if (value != nullptr) api_->ReleaseValue(std::exchange(value, nullptr));
    }
  }
  OrtValue** data() { return values_.data(); }
  size_t size() const { return values_.size(); }
  OrtValue* at(size_t index) const { return values_.at(index); }

 private:
  const OrtApi* api_;
  std::vector<OrtValue*> values_;
};

// The library with its process-wide state. Shared by sessions and engine,
// because sessions may outlive the engine that loaded them.
struct OrtRuntime {
  const OrtApi* api = nullptr;
  EnvHandle env;
  OrtAllocator* allocator = nullptr;  // the library's own; never released
};

// The first line of a library message, without its C++ source position.
std::string FirstLine(const char* text);

// Takes ownership of the status. `failure_code` is used for codes that do not
// say what the caller can do.
Status FromOrt(const OrtApi& api, OrtStatus* status, ErrorCode failure_code);

// Calls an API function whose last parameter is the created object:
// Make<EnvHandle>(api, code, api.CreateEnv, ORT_LOGGING_LEVEL_ERROR, "mete").
template <typename Handle, typename Function, typename... Arguments>
Result<Handle> Make(const OrtApi& api, ErrorCode failure_code,
                    Function function, Arguments... arguments) {
  typename Handle::pointer made = nullptr;
  RETURN_IF_ERROR(FromOrt(api, function(arguments..., &made), failure_code));
  return Handle(made, {&api});
}

}  // namespace mete
