#include "load/start_service.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "support/file.h"
#include "support/parse_number.h"
#include "support/scratch_folder.h"

namespace mete {
namespace {

constexpr Seconds kLook{0.05};

// The port that the service has written, once it is ready.
std::optional<uint16_t> PortIn(const std::filesystem::path& file) {
  auto text = ReadFile(file);
  if (!text.ok() || !text->ends_with('\n')) return std::nullopt;
  text->pop_back();
  return ParseNumber<uint16_t>(*text);
}

// The last line of its output, without its prefix.
std::string LastWords(TestbedProcess& process) {
  std::string text = process.last_output();
  while (text.ends_with('\n')) text.pop_back();
  size_t line = text.rfind('\n');
  if (line != std::string::npos) text = text.substr(line + 1);
  for (const char* prefix : {"mete: ", "mete service: "}) {
    if (text.starts_with(prefix))
      text = text.substr(std::string(prefix).size());
  }
  return text.empty() ? "it ended without a message" : text;
}

}  // namespace

Result<StartedService> StartService(
    const StartServiceRequest& request,
    const StartServiceDependencies& dependencies, std::stop_token stop) {
  const std::string name =
      request.arguments.empty() ? "" : request.arguments.front();
  const std::string act = "start the service of " + name;
  ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Create());
  const std::filesystem::path file = folder.path() / "port";
  std::vector<std::string> arguments = {"service"};
  arguments.insert(arguments.end(), request.arguments.begin(),
                   request.arguments.end());
  arguments.insert(arguments.end(),
                   {"--listen", "127.0.0.1:0", "--port-file", file.string()});
  auto process = dependencies.start_self(arguments);
  if (!process.ok()) return process.error().While(act);
  const auto end = dependencies.clock.Now() + request.patience;
  for (;;) {
    if (auto port = PortIn(file)) {
      return StartedService(*std::move(process),
                            {.host = "127.0.0.1", .port = *port});
    }
    // It sends no lines; waiting for one notices when it ends.
    auto line = (*process)->Receive(kLook, stop);
    if (line.ok() || line.error().code() == ErrorCode::kTimeout) {
      if (dependencies.clock.Now() < end) continue;
      return Error(ErrorCode::kTimeout,
                   fmt::format("{}: it was not ready after {}", act,
                               FormatSeconds(request.patience)));
    }
    if (line.error().code() == ErrorCode::kInterrupted) {
      return line.error().While(act);
    }
    return InvalidInput(act + ": " + LastWords(**process));
  }
}

}  // namespace mete
