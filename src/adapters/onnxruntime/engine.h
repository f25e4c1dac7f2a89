// Adapter: networks run by ONNX Runtime, which is loaded on first use and
// called through its C interface only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ports/engine.h"
#include "support/result.h"

namespace mete {

struct OrtRuntime;

// Networks run on the CPU: one operator after the other, each on as many
// threads as asked, with every graph optimisation on. Load may be called from
// several threads.
class OnnxRuntimeEngine final : public Engine {
 public:
  // Looks for the library at `override_path` alone when that is not empty;
  // else beside the program (bin/../lib), then where the system's loader
  // looks. Fails with kUnavailable when there is none, kUnsupported when it
  // is too old; the message says where it looked and what to do.
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
