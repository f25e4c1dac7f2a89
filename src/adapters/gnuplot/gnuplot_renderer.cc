#include "adapters/gnuplot/gnuplot_renderer.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "adapters/gnuplot/gnuplot_script.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/spawn.h"
#include "support/text.h"

namespace mete {
namespace {

// A file in memory: neither side blocks on the other, and the script contains
// no path.
Result<Descriptor> MemoryFile(const std::string& content = "") {
  Descriptor file(memfd_create("mete-plot", MFD_CLOEXEC));
  if (!file.open()) return SystemError("create a file in memory", errno);
  RETURN_IF_ERROR(WriteAll(file.number(), content));
  if (lseek(file.number(), 0, SEEK_SET) != 0) {
    return SystemError("rewind a file in memory", errno);
  }
  return file;
}

Result<std::string> ReadContent(const Descriptor& file) {
  return ReadFile("/proc/self/fd/" + std::to_string(file.number()));
}

// gnuplot repeats the faulty line before the error, which begins with "line
// 7:".
std::string FirstError(const std::string& said) {
  std::string first;
  for (const std::string& raw : SplitAt(said, '\n')) {
    size_t begin = raw.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    std::string line = raw.substr(begin);
    if (first.empty()) first = line;
    bool error = line.starts_with("line ") &&
                 line.find(": warning:") == std::string::npos;
    if (error) return line;
  }
  return first.empty() ? "no error message" : first;
}

int WaitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result<std::string> GnuplotRenderer::Render(const Drawing& drawing,
                                            PictureFormat format) {
  ASSIGN_OR_RETURN(Descriptor input,
                   MemoryFile(GnuplotScript(drawing, format)));
  ASSIGN_OR_RETURN(Descriptor output, MemoryFile());
  ASSIGN_OR_RETURN(Descriptor errors, MemoryFile());
  // -d: ignore the user's settings, so that a plot looks the same everywhere.
  Result<pid_t> process = Spawn({.arguments = {program_, "-d"},
                                 .input = input.number(),
                                 .output = output.number(),
                                 .errors = errors.number()});
  if (!process.ok() && process.error().code() == ErrorCode::kNotFound) {
    return Unavailable(
        "gnuplot is not installed (Debian: apt install gnuplot-nox)");
  }
  if (!process.ok()) return process.error();
  int status = WaitFor(*process);
  ASSIGN_OR_RETURN(std::string picture, ReadContent(output));
  bool drawn = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (drawn && !picture.empty()) return picture;
  ASSIGN_OR_RETURN(std::string said, ReadContent(errors));
  return Unavailable("gnuplot: " + FirstError(said)).While(drawing.name);
}

}  // namespace mete
