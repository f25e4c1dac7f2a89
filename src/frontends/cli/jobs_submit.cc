// mete jobs submit: queues a command, an image or a network.
#include <algorithm>

#include "cli/application_flags.h"
#include "cli/jobs_actions.h"
#include "cli/network_flags.h"
#include "jobs/job_table.h"
#include "jobs/submit_job.h"
#include "measure/network_yaml.h"
#include "support/json.h"

namespace mete {
namespace {

struct SubmitFlags {
  ApplicationFlags application;
  NetworkFlags network;
  std::string name;
};

// Returns a complaint if the arguments do not go together.
std::optional<std::string> Complaint(const SubmitFlags& flags,
                                     const Invocation& invocation,
                                     const std::vector<std::string>& given,
                                     const std::vector<std::string>& network) {
  if (auto image = ImageComplaint(given, flags.application)) return image;
  bool has_command = invocation.command && !invocation.command->empty();
  bool runs = has_command || !flags.application.image.empty();
  if (runs && !flags.network.file.empty()) {
    return "expected a network or a command after --, not both";
  }
  if (!runs && flags.network.file.empty()) {
    return "expected a network file or a command after --: mete jobs submit "
           "net.onnx or mete jobs submit -- ./app";
  }
  for (const std::string& name : given) {
    bool for_networks = std::ranges::find(network, name) != network.end();
    if (runs && for_networks) return name + " is for networks";
    if (!runs && name == "--dataset") return name + " is for commands";
  }
  return std::nullopt;
}

// Makes paths absolute: a worker runs in another folder.
Status Anchor(ApplicationSpec& spec) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return SystemError("find the current folder", error.value());
  if (!spec.container) spec.folder = here;
  if (!spec.dataset.empty()) spec.dataset = here / spec.dataset;
  if (spec.network) AnchorNetwork(here, *spec.network);
  return {};
}

Result<ExitCode> Submit(Invocation& invocation, const SubmitFlags& flags,
                        const JobsDependencies& dependencies) {
  ASSIGN_OR_RETURN(
      ApplicationSpec spec,
      MakeSpec(flags.application,
               invocation.command.value_or(std::vector<std::string>())));
  if (!flags.network.file.empty()) {
    spec.network = MakeNetworkOptions(flags.network);
  }
  RETURN_IF_ERROR(Anchor(spec));
  if (spec.network && dependencies.check_network) {
    RETURN_IF_ERROR(CheckNetworkFile(spec.network->network));
    RETURN_IF_ERROR(dependencies.check_network(spec.network->network));
  }
  ASSIGN_OR_RETURN(Queue queue, OpenQueue(dependencies.jobs, dependencies.host,
                                          dependencies.clock));
  ASSIGN_OR_RETURN(Job job,
                   SubmitJob({.name = flags.name,
                              .work = {.application = std::move(spec),
                                       .allow_privileged =
                                           flags.application.allow_privileged},
                              .device_id = queue.device_id,
                              .entropy = dependencies.draw_entropy()},
                             queue.jobs, queue.clock));
  invocation.output.Print({
      .text = [&] { return job.id + "\n"; },
      .json = [&] { return JobToJson(job); },
      .csv = [&] { return JobCsv({job}); },
  });
  NoteWithoutWorker(invocation.console, queue);
  return ExitCode::kDone;
}

}  // namespace

void AddJobsSubmit(Command jobs, Verbs& verbs,
                   const Lazy<JobsDependencies>& dependencies) {
  auto flags = std::make_shared<SubmitFlags>();
  Command command = jobs.Add(
      "submit", "Queue a command, an image or a network and print the job's ID",
      "mete jobs submit --memory 512Mi --repeat 5 -- ./app --fast\n"
      "  mete jobs submit resnet18.onnx --until 1% --cpus 1\n"
      "  mete jobs submit --image my/app:1 --name nightly -- --fast");
  command.TakesCommand();
  command.Option("NET.onnx", flags->network.file, "Network file");
  command.Option("--name", flags->name,
                 "Name of the job (default: the program, image or network)");
  AddApplicationFlags(command, flags->application);
  command
      .Option("--threads", flags->application.threads,
              "Threads of the engine (default: one per core) or of the "
              "command's thread pools")
      .Within(1, 1024);
  const std::vector<std::string> network_flags =
      AddNetworkFlags(command, flags->network);
  verbs.push_back(
      {.command = command,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         auto complaint =
             Complaint(*flags, invocation, command.Given(), network_flags);
         if (complaint) {
           invocation.console.Error("mete jobs submit: " + *complaint);
           return ExitCode::kUsage;
         }
         ASSIGN_OR_RETURN(JobsDependencies needs, dependencies());
         complaint = PinComplaint(flags->application, needs.host);
         if (complaint) {
           invocation.console.Error("mete jobs submit: " + *complaint);
           return ExitCode::kUsage;
         }
         return Submit(invocation, *flags, needs);
       },
       .takes_command = true});
}

}  // namespace mete
