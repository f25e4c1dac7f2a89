// Runs networks with ONNX Runtime, which is loaded on first use and called only
// through its C interface.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ports/engine.h"
#include "support/result.h"

namespace mete {

struct OrtRuntime;

// Runs networks on the CPU: operators one after the other, each on the
// requested number of threads, with all graph optimizations. Load is
// thread-safe.
class OnnxRuntimeEngine final : public Engine {
 public:
  // Looks for the library only at `override_path` if that is not empty;
  // otherwise next to the program (bin/../lib), then in the search path of the
  // loader. Fails with kUnavailable when there is none, kUnsupported when it is
  // too old; the message lists the places and advice.
  static Result<std::unique_ptr<OnnxRuntimeEngine>> Open(
      const std::filesystem::path& override_path);

  EngineVersion version() const override;
  Result<std::unique_ptr<EngineSession>> Load(
      const LoadRequest& request) override;

 private:
  OnnxRuntimeEngine(std::shared_ptr<const OrtRuntime> runtime,
                    std::string version);

  std::shared_ptr<const OrtRuntime> runtime_;
  std::string version_;
};

}  // namespace mete
