// A network loaded into ONNX Runtime. Only for the sources of this folder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/onnxruntime/handles.h"
#include "ports/engine.h"
#include "support/file.h"

namespace mete {

// One loaded network.
class OnnxRuntimeSession final : public EngineSession {
 public:
  static Result<std::unique_ptr<EngineSession>> Load(
      std::shared_ptr<const OrtRuntime> runtime, const LoadRequest& request);

  const std::vector<GraphValue>& inputs() const override { return inputs_; }
  Status SetInputs(std::span<const TensorValue> values) override;
  Status Run() override;
  Result<std::vector<TensorValue>> Outputs() override;
  void ReleaseOutputs() override;
  Result<std::vector<NodeTime>> NodeTimes() override;

 private:
  explicit OnnxRuntimeSession(std::shared_ptr<const OrtRuntime> runtime)
      : runtime_(std::move(runtime)) {}

  Status Open(const LoadRequest& request);
  Result<OptionsHandle> MakeOptions(const LoadRequest& request);
  Status ReadInputs();
  Status ReadOutputNames();
  // Takes ownership of a text that the library allocated.
  std::string TakeText(char* text) const;
  Result<ValueHandle> MakeTensor(const TensorValue& value) const;
  Result<TensorValue> CopyOutput(size_t index) const;

  const OrtApi& api() const { return *runtime_->api; }

  std::shared_ptr<const OrtRuntime> runtime_;
  // Folder of the profile. Outlives session_, which may write when it ends.
  std::optional<ScratchFolder> profile_folder_;
  SessionHandle session_;
  std::vector<GraphValue> inputs_;
  std::vector<std::string> output_names_;
  std::vector<ValueHandle> input_values_;  // empty: never set
  std::optional<OutputSlots> outputs_;
  // The same as arrays for the C function, prepared before the timed call.
  std::vector<const char*> raw_input_names_;
  std::vector<const char*> raw_output_names_;
  std::vector<const OrtValue*> raw_inputs_;
};

}  // namespace mete
