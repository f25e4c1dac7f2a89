// The flags of mete-torch and their conversion to plans.
#pragma once

#include <string>

#include "adapters/torch/inference.h"
#include "adapters/torch/training.h"
#include "flags/command.h"
#include "reference_networks/data_set.h"

namespace mete {

// The values of the flags.
struct WorkloadFlags {
  std::string network = kUsualNetwork;
  std::string data_set = kUsualDataSet;
  std::string data_folder;
  std::string normalisation = "0-1";
  std::string split = "O_A";
  std::string checkpoint;
  std::string output = "table";
  bool partial = false;
  uint64_t seed = 42;
  int threads = 1;
  bool quiet = false;
  std::optional<uint64_t> batch;

  // Only for training.
  int64_t epochs = 10;
  int64_t middle_epochs = 10;
  std::string optimizer = "adam";
  std::optional<double> rate;
  std::optional<double> momentum;
  std::optional<double> weight_decay;
  std::string scheduler = "fix";
  std::optional<double> gamma;
  std::string steps = "9";
  std::string second_steps = "50,80";
  std::string onnx;
  bool no_onnx = false;
  bool fresh = false;

  // Only for inference.
  uint64_t iterations = 100;
  std::string duration = "0s";
};

void AddTrainingFlags(const Command& train, WorkloadFlags& flags);
void AddInferenceFlags(const Command& infer, WorkloadFlags& flags);

// Fails with kInvalidInput if the flags do not go together.
Status CheckTogether(const WorkloadFlags& flags);

// Each fails with kInvalidInput and the message of the flag's check.
Result<DataSetRequest> MakeDataSetRequest(const WorkloadFlags& flags);
Result<TrainingPlan> MakeTrainingPlan(const WorkloadFlags& flags,
                                      int64_t classes);
Result<InferencePlan> MakeInferencePlan(const WorkloadFlags& flags,
                                        int64_t classes);

}  // namespace mete
