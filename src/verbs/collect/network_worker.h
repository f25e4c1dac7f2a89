// The side of the bench that runs networks: does what it is ordered to, line
// by line, in a process that is inside the device.
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

// Holds one loaded network at a time.
class NetworkWorker {
 public:
  struct Parts {
    // Asked for with the first network, so that a machine without an engine
    // gets an answer that says so.
    std::function<Result<Engine*>()> engine;
    Host& host;
    ImageReader& images;
    Clock& clock;
  };

  explicit NetworkWorker(Parts parts) : parts_(std::move(parts)) {}

  // The answer to one order; an error is an answer, too.
  std::string Answer(const std::string& line);
  // Until the input ends.
  void Serve(std::istream& input, std::ostream& output);

 private:
  Result<Json> Do(const std::string& line);
  Result<LoadedNetwork> Load(const LoadOrder& order);
  Result<TimedRun> Run(const RunOrder& order);

  Parts parts_;
  std::unique_ptr<EngineSession> session_;
  InputFeeds feeds_;
};

// Means of times put together until they fill 50 ms, several periods of a CPU
// quota: those within one are not independent. What is left at the end is
// dropped.
std::vector<double> BlockMeans(const std::vector<double>& samples);

// Whether the mean of these times is known this well: the standard error of
// the blocks over their mean. It takes six blocks to say yes.
bool MeanIsKnown(const std::vector<double>& samples, double precision);

}  // namespace mete
