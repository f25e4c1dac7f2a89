// The variants that a trial compares: one application under different limits,
// GPUs or devices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/device.h"
#include "measure/application_spec.h"
#include "support/result.h"

namespace mete {

// What varies: "cpus" with "1", "2" and "4".
struct TrialAxis {
  std::string name;  // device, gpu, cpus or memory
  std::vector<std::string> values;
};

// Reads "cpus=1,2,4". Fails with kInvalidInput on an unknown name, a value that
// is no such quantity, and a value given twice.
Result<TrialAxis> ParseTrialAxis(const std::string& text);

// What one hour of a resource costs, in any currency.
struct TrialPrices {
  double cpu = 0;
  double gibibyte = 0;  // of memory
  double gpu = 0;
};

// Reads "cpu=0.04,memory=0.005,gpu=1.2"; each is optional, one is required.
Result<TrialPrices> ParseTrialPrices(const std::string& text);

// One combination of values.
struct TrialVariant {
  std::string label;             // "cpus=2 memory=512Mi"
  ApplicationSpec application;   // with its limits and GPUs
  std::optional<Device> device;  // absent: this machine
  uint64_t gpus = 0;
};

// Finds a device that can be measured here. Fails as DevicesHere does.
using FindTrialDevice = std::function<Result<Device>(const std::string& name)>;

inline constexpr size_t kMostTrialVariants = 64;

// Every combination of the axes, in their order. A variant on an emulated
// device has that device's limits, unless it sets its own. The devices of an
// application that runs on a cluster are the cluster's nodes. Fails when an
// axis appears twice, and with more than kMostTrialVariants combinations.
Result<std::vector<TrialVariant>> MakeTrialVariants(
    const ApplicationSpec& application, const std::vector<TrialAxis>& axes,
    const FindTrialDevice& find_device);

// What an hour of the variant costs. Fails with kInvalidInput when a resource
// with a price has no limit, because what it uses is not known.
Result<double> PricePerHour(const TrialVariant& variant,
                            const TrialPrices& prices);

}  // namespace mete
