#include "tests/integration/containers/engine_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "net/http_client.h"

namespace mete {
namespace {

using std::filesystem::path;

bool Installed(const std::string& program) {
  for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/bin/"}) {
    if (access((folder + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Status NeedsRootAnd(const std::vector<std::string>& programs) {
  if (geteuid() != 0) return Unavailable("needs root to start an engine");
  for (const std::string& program : programs) {
    if (!Installed(program)) return Unavailable(program + " is not installed");
  }
  return {};
}

// Makes a tar archive of the image's file system.
Result<std::string> ImageArchive(const path& folder) {
  path bin = folder / "image" / "bin";
  std::filesystem::create_directories(bin);
  std::filesystem::create_directories(folder / "image" / "tmp");
  std::error_code error;
  path busybox = Installed("busybox") ? "/usr/bin/busybox" : "/bin/busybox";
  for (const char* name : {"busybox", "sh", "sleep", "echo", "true"}) {
    std::filesystem::copy_file(busybox, bin / name, error);
    if (error) return Unavailable("busybox-static is not installed");
  }
  std::filesystem::copy_file(METE_STATIC_WORKLOAD, bin / "known_workload",
                             error);
  if (error) return Unavailable(METE_STATIC_WORKLOAD " is missing");
  path archive = folder / "image.tar";
  std::string command = fmt::format(
      "tar -C '{}' -cf '{}' .", (folder / "image").string(), archive.string());
  if (std::system(command.c_str()) != 0) return Unavailable("tar failed");
  return ReadFile(archive);
}

}  // namespace

Result<std::unique_ptr<EngineServer>> EngineServer::StartDocker() {
  RETURN_IF_ERROR(NeedsRootAnd({"dockerd", "runc"}));
  ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Create());
  std::unique_ptr<EngineServer> server(new EngineServer(std::move(folder)));
  RETURN_IF_ERROR(
      server->Run({"dockerd", "-H", "unix://" + server->Path("s"),
                   "--data-root", server->Path("data"), "--exec-root",
                   server->Path("run"), "--pidfile", server->Path("pid"),
                   "--iptables=false", "--ip6tables=false", "--bridge=none"}));
  RETURN_IF_ERROR(server->ImportImage());
  return server;
}

Result<std::unique_ptr<EngineServer>> EngineServer::StartPodman() {
  RETURN_IF_ERROR(NeedsRootAnd({"podman", "runc"}));
  ASSIGN_OR_RETURN(ScratchFolder folder, ScratchFolder::Create());
  std::unique_ptr<EngineServer> server(new EngineServer(std::move(folder)));
  RETURN_IF_ERROR(WriteFileAtomically(
      server->Path("containers.conf"),
      "[engine]\nruntime=\"runc\"\ncgroup_manager=\"cgroupfs\"\n"
      "events_logger=\"file\"\n[containers]\n"
      "default_ulimits=[\"nofile=20000:20000\",\"nproc=30000:30000\"]\n"));
  setenv("CONTAINERS_CONF", server->Path("containers.conf").c_str(), 1);
  RETURN_IF_ERROR(
      server->Run({"podman", "--root", server->Path("data"), "--runroot",
                   server->Path("run"), "system", "service", "--time=0",
                   "unix://" + server->Path("s")}));
  RETURN_IF_ERROR(server->ImportImage());
  return server;
}

EngineServer::~EngineServer() {
  if (pid_ == 0) return;
  kill(pid_, SIGTERM);
  for (int i = 0; i < 1000; ++i) {
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::string EngineServer::log() const {
  auto text = ReadFile(Path("log"));
  return text.ok() ? *text : "";
}

Status EngineServer::Run(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string log = Path("log");
  std::string folder = folder_.path().string();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    if (chdir(folder.c_str()) != 0) _exit(126);  // podman's monitor writes here
    int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  return AwaitReady();
}

Status EngineServer::AwaitReady() {
  HttpClient client(endpoint());
  for (int i = 0; i < 600; ++i) {
    auto answer = client.Send({.target = "/_ping"});
    if (answer.ok() && answer->ok()) return {};
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = 0;
      std::string text = log();
      return Unavailable(
          "the engine does not start here: " +
          text.substr(text.size() - std::min<size_t>(text.size(), 300)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return Unavailable("the engine does not answer");
}

Status EngineServer::ImportImage() {
  ASSIGN_OR_RETURN(std::string archive, ImageArchive(folder_.path()));
  auto done = HttpClient(endpoint())
                  .Send({.method = "POST",
                         .target = "/images/create?fromSrc=-&repo=mete-test"
                                   "&changes=ENV%20MODE%3Dimage",
                         .fields = {{"content-type", "application/x-tar"}},
                         .body = archive});
  if (!done.ok()) return done.error().While("import the image");
  if (!done->ok()) return Unavailable("import the image: " + done->body);
  return {};
}

}  // namespace mete
