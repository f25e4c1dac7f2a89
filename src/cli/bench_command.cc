// mete bench network|load: what mete starts inside a device it measures on.
// Not for people: orders come on stdin, a line each (collect/bench_protocol.h).
#include <iostream>

#include "cli/verb.h"
#include "collect/load_burner.h"
#include "collect/network_worker.h"

namespace mete {
namespace {

Result<ExitCode> ServeNetworks(Invocation& invocation) {
  Services& services = invocation.services;
  NetworkWorker worker({.engine = [&] { return services.TheEngine(); },
                        .host = services.ThisHost(),
                        .images = services.Images(),
                        .clock = services.TheClock()});
  worker.Serve(std::cin, std::cout);
  return ExitCode::kDone;
}

}  // namespace

void AddBenchCommand(Command root, Verbs& verbs) {
  Command bench = root.Add("bench", "Processes on a device (for mete itself)",
                           "mete bench network < orders");
  bench.Hide();
  bench.WantsSubcommand();
  Command network = bench.Add("network", "Runs networks as ordered on stdin",
                              "mete bench network < orders");
  verbs.push_back({.command = network, .run = ServeNetworks});

  auto cores = std::make_shared<int>(1);
  Command load = bench.Add("load", "Keeps processors busy as ordered on stdin",
                           "mete bench load --cores 2 < orders");
  load.Option("--cores", *cores, "Cores of the device").Within(1, 4096);
  verbs.push_back({.command = load, .run = [cores](Invocation&) {
                     LoadBurner burner(*cores);
                     burner.Serve(std::cin, std::cout);
                     return Result<ExitCode>(ExitCode::kDone);
                   }});
}

}  // namespace mete
