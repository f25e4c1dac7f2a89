// Runs networks inside a testbed: a worker process executes orders that arrive
// as lines.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "collect/worker_protocol.h"
#include "measure/input_tensors.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "support/clock.h"

namespace mete {

// Executes orders. Holds one loaded network at a time.
class NetworkWorker {
 public:
  // What a worker depends on.
  struct Parts {
    // Called with the first network, so that a machine without an engine sends
    // a reply that says so.
    std::function<Result<Engine*>()> engine;
    Host& host;
    ImageReader& images;
    Clock& clock;
  };

  explicit NetworkWorker(Parts parts) : parts_(std::move(parts)) {}

  // Executes one order and returns the reply. Errors are replies, too.
  std::string Answer(const std::string& line);
  // Answers orders until the input ends.
  void Serve(std::istream& input, std::ostream& output);

 private:
  Result<Json> Do(const std::string& line);
  Result<LoadedNetwork> Load(const LoadOrder& order);
  Result<TimedRun> Run(const RunOrder& order);

  Parts parts_;
  std::unique_ptr<EngineSession> session_;
  InputFeeds feeds_;
};

// Means of consecutive times that add up to 50 ms, which is several periods of
// a CPU quota. Times within one period are not independent. Drops an incomplete
// block at the end.
std::vector<double> BlockMeans(const std::vector<double>& samples);

// Whether the mean of these times is known to `precision`: the standard error
// of the block means over their mean. Needs at least six blocks.
bool MeanIsKnown(const std::vector<double>& samples, double precision);

}  // namespace mete
