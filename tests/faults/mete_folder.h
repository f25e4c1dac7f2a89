// A folder in which a test runs mete: its state, its temporary files, and the
// marks that workloads leave when they end.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "adapters/sqlite/sqlite_run_store.h"
#include "support/check.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/spawn.h"

namespace mete {

// Runs mete with everything it writes inside one folder.
class MeteFolder {
 public:
  MeteFolder() {
    std::filesystem::create_directory(temporary());
    std::filesystem::create_directory(state());
  }

  const std::filesystem::path& path() const { return scratch_.path(); }
  std::filesystem::path temporary() const { return path() / "tmp"; }
  std::filesystem::path state() const { return path() / "state"; }
  std::filesystem::path store() const { return state() / "mete.db"; }
  std::filesystem::path marks() const { return path() / "marks"; }
  // What mete wrote to stderr, for a failing test.
  std::string Said() const {
    auto text = ReadFile(path() / "said");
    return text.ok() ? *text : "";
  }
  // In the environment of every process below this folder.
  std::string tag() const { return "FAULTS_FOLDER=" + path().string(); }

  // Starts mete as the leader of its own process group.
  pid_t Start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), METE_PROGRAM);
    Descriptor said(open((path() / "said").c_str(),
                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    auto started = Spawn({.arguments = std::move(arguments),
                          .errors = said.number(),
                          .environment = {{"METE_STATE", state().string()},
                                          {"HOME", path().string()},
                                          {"TMPDIR", temporary().string()},
                                          {"FAULTS_FOLDER", path().string()}}});
    CHECK(started.ok()) << started.error().message();
    return *started;
  }
  // The exit code; 128 or more after a signal.
  static int Wait(pid_t mete) {
    int status = 0;
    CHECK(waitpid(mete, &status, 0) == mete) << "waitpid";
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int Run(std::vector<std::string> arguments) const {
    return Wait(Start(std::move(arguments)));
  }

  // A command that leaves a mark when it is done.
  std::vector<std::string> Workload() const {
    return {"sh", "-c", "sleep 0.03; echo x >> " + marks().string()};
  }
  void ClearMarks() const { std::filesystem::remove(marks()); }
  size_t CountMarks() const {
    auto text = ReadFile(marks());
    if (!text.ok()) return 0;
    return static_cast<size_t>(std::ranges::count(*text, '\n'));
  }

  // The ids of all runs, which must all be readable. Fails if the store is not
  // intact.
  Result<std::set<std::string>> CheckedRuns() const {
    ASSIGN_OR_RETURN(auto opened, SqliteRunStore::Open(store()));
    RETURN_IF_ERROR(opened->CheckIntegrity());
    ASSIGN_OR_RETURN(auto runs, opened->ListRuns({}));
    std::set<std::string> ids;
    for (const auto& run : runs) ids.insert(run.id);
    return ids;
  }

 private:
  ScratchFolder scratch_ = *ScratchFolder::Create();
};

}  // namespace mete
