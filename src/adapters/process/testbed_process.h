// A helper process of mete below a keeper, with lines sent over two pipes.
#pragma once

#include <string>
#include <vector>

#include "adapters/process/keeper.h"
#include "cgroups/control_group.h"
#include "ports/testbed.h"
#include "support/descriptor.h"

namespace mete {

// A process that serves requests, one line each.
class KeptTestbedProcess final : public TestbedProcess {
 public:
  // What to start.
  struct Request {
    std::vector<std::string> command;
    std::vector<std::string> environment;  // "NAME=value", complete
    const ControlGroup* group = nullptr;   // to join; must outlive the process
    std::vector<std::string> group_folders;  // removed if mete dies
  };
  static Result<std::unique_ptr<KeptTestbedProcess>> Start(Request request);
  ~KeptTestbedProcess() override;

  Status Send(const std::string& line) override;
  Result<std::string> Receive(Seconds at_most, std::stop_token stop) override;
  ProcessEnding Ending() override;
  const std::string& last_output() const override { return last_output_; }

  int pid() const { return keeper_.first(); }

 private:
  KeptTestbedProcess(Keeper keeper, Descriptor input, Descriptor output,
                     const ControlGroup* group)
      : keeper_(std::move(keeper)),
        input_(std::move(input)),
        output_(std::move(output)),
        group_(group) {}

  // Removes the next complete line from the buffer; false when there is none.
  bool TakeLine(std::string& line);
  // Waits for more; false at the end of the output.
  Result<bool> ReadMore(Seconds at_most);

  Keeper keeper_;
  Descriptor input_;
  Descriptor output_;
  const ControlGroup* group_;
  std::string buffer_;
  std::string last_output_;
  uint64_t oom_kills_before_ = 0;
};

}  // namespace mete
