// mete-torch: the reference workloads for sweeps, and the training of NeuRO's
// network. It uses libtorch in a separate program.
#include <mete/hook.h>  // first: it sets feature macros of libc

#include <fmt/format.h>
#include <malloc.h>

#include <iostream>
#include <new>

#include "apps/torch/train_contention.h"
#include "apps/torch/workloads.h"
#include "flags/exit_code.h"
#include "flags/usage.h"
#include "flags/version.h"
#include "support/file.h"

namespace mete {
namespace {

using Workload = Status (*)(const WorkloadFlags&);

int Finish(const std::string& complaint, ExitCode code) {
  if (!complaint.empty()) {
    std::cerr << WithProgramName("mete-torch", complaint) << '\n';
  }
  return static_cast<int>(code);
}

int FinishOutput() {
  std::cout.flush();
  if (std::cout) return Finish("", ExitCode::kDone);
  return Finish("write the result: the output is full or closed",
                ExitCode::kError);
}

Status RunWorkload(Workload run, const WorkloadFlags& flags) {
  if (!flags.checkpoint.empty() && run == RunTraining) {
    hook::Timer timer("create_folder");
    RETURN_IF_ERROR(MakeFolder(flags.checkpoint));
  }
  return run(flags);
}

template <typename Run>
Status WithinMemory(Run run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return Unavailable("out of memory");
  }
}

// Each training step allocates the same tensors again. By default, malloc
// returns large ones to the system every time; allocating and clearing them
// again takes a quarter of the time.
void KeepMemory() {
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int Main(int argc, const char* const* argv) {
  KeepMemory();
  mete_timer parse = mete_timer_start("parse_args");
  CommandLine line({.name = "mete-torch",
                    .description = "Reference workloads: bearing-fault "
                                   "networks trained and run with libtorch",
                    .footer = "Example:\n  mete-torch train --epochs 2\n"
                              "  mete sweep --memory 400Mi:40Mi --search "
                              "bisect -- mete-torch train",
                    .version = std::string("mete-torch ") + kVersion});
  WorkloadFlags flags;
  Command train =
      line.root().Add("train", "Train a network and write it as ONNX",
                      "mete-torch train --network CNN_1d --dataset synthetic "
                      "--epochs 2",
                      "");
  AddTrainingFlags(train, flags);
  Command infer = line.root().Add(
      "infer", "Measure the inference time of a network",
      "mete-torch infer --network CNN_1d --checkpoint runs/cnn", "");
  AddInferenceFlags(infer, flags);
  ContentionFlags contention;
  Command train_contention = line.root().Add(
      "train-contention", "Train NeuRO's network for mete train contention",
      "mete-torch train-contention --from table.csv.gz --out weights.json", "");
  AddContentionFlags(train_contention, contention);
  line.root().WantsSubcommand();
  CommandLine::Reading reading = line.Read(argc, argv);
  if (reading.help) {
    std::cout << *reading.help;
    return FinishOutput();
  }
  if (reading.complaint) return Finish(*reading.complaint, ExitCode::kUsage);
  if (train_contention.chosen()) {
    Status done =
        WithinMemory([&] { return RunContentionTraining(contention); });
    if (!done.ok()) return Finish(done.error().message(), ExitCode::kError);
    return FinishOutput();
  }
  if (Status flags_agree = CheckTogether(flags); !flags_agree.ok()) {
    return Finish(
        fmt::format("mete-torch {}: {}", train.chosen() ? "train" : "infer",
                    flags_agree.error().message()),
        ExitCode::kUsage);
  }
  mete_timer_stop(parse);
  Status done = WithinMemory([&] {
    return RunWorkload(train.chosen() ? RunTraining : RunInference, flags);
  });
  if (!done.ok()) return Finish(done.error().message(), ExitCode::kError);
  return FinishOutput();
}

}  // namespace
}  // namespace mete

int main(int argc, char** argv) { return mete::Main(argc, argv); }
