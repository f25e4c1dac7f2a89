#include "trial/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "measure/application_bounds.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr uint64_t kMostGpus = 64;

Result<uint64_t> ParseGpuCount(const std::string& text) {
  ASSIGN_OR_RETURN(uint64_t count, ParseCount(text));
  if (count < 1 || count > kMostGpus) {
    return InvalidInput(
        fmt::format("expected 1 to {} GPUs, got {}", kMostGpus, text));
  }
  return count;
}

template <typename Value>
Status CheckParsed(const Result<Value>& parsed) {
  if (!parsed.ok()) return parsed.error();
  return {};
}

Status CheckValue(const std::string& name, const std::string& value) {
  if (name == "cpus") return CheckParsed(ParseCpuLimit(value));
  if (name == "memory") return CheckParsed(ParseMemoryLimit(value));
  if (name == "gpu") return CheckParsed(ParseGpuCount(value));
  if (value.empty()) return InvalidInput("expected a name after device=");
  return {};
}

// "name=value" -> both parts.
Result<std::pair<std::string, std::string>> SplitSetting(
    const std::string& text, const std::string& example) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    return InvalidInput(fmt::format("expected {}, got '{}'", example, text));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

// Limits of the emulated device, where the application has none of its own.
void AddDeviceLimits(const Device& device, Limits& limits) {
  if (!device.emulation) return;
  const Limits& given = device.emulation->limits;
  if (!limits.cpus) limits.cpus = given.cpus;
  if (!limits.memory) limits.memory = given.memory;
  if (!limits.threads) limits.threads = given.threads;
}

void SetGpus(uint64_t count, TrialVariant& variant) {
  variant.gpus = count;
  ApplicationSpec& application = variant.application;
  if (application.container) {
    application.container->gpus = GpuChoice{.count = static_cast<int>(count)};
    return;
  }
  std::string devices;
  for (uint64_t i = 0; i < count; ++i) {
    devices += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  application.environment["CUDA_VISIBLE_DEVICES"] = devices;
}

Status Apply(const std::string& name, const std::string& value,
             const FindTrialDevice& find_device, TrialVariant& variant) {
  Limits& limits = variant.application.limits;
  if (name == "cpus") {
    ASSIGN_OR_RETURN(limits.cpus, ParseCpuLimit(value));
  } else if (name == "memory") {
    ASSIGN_OR_RETURN(limits.memory, ParseMemoryLimit(value));
  } else if (name == "gpu") {
    ASSIGN_OR_RETURN(uint64_t count, ParseGpuCount(value));
    SetGpus(count, variant);
  } else if (!variant.application.launcher.empty()) {
    variant.application.node = value;
  } else {
    ASSIGN_OR_RETURN(variant.device, find_device(value));
  }
  variant.label +=
      fmt::format("{}{}={}", variant.label.empty() ? "" : " ", name, value);
  return {};
}

Status CheckAxes(const std::vector<TrialAxis>& axes) {
  size_t combinations = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (axes[i].name == axes[j].name) {
        return InvalidInput(fmt::format(
            "{0} varies twice; give all its values at once: {0}=A,B",
            axes[i].name));
      }
    }
    combinations *= axes[i].values.size();
    if (combinations > kMostTrialVariants) {
      return InvalidInput(fmt::format(
          "more than {} combinations; vary fewer values", kMostTrialVariants));
    }
  }
  return {};
}

}  // namespace

Result<TrialAxis> ParseTrialAxis(const std::string& text) {
  ASSIGN_OR_RETURN(auto setting, SplitSetting(text, "NAME=VALUE,VALUE"));
  TrialAxis axis{.name = setting.first, .values = SplitAt(setting.second, ',')};
  if (!HasItem({"device", "gpu", "cpus", "memory"}, axis.name)) {
    return InvalidInput(
        fmt::format("cannot vary '{}'; what varies is device, gpu, cpus or "
                    "memory",
                    axis.name));
  }
  for (size_t i = 0; i < axis.values.size(); ++i) {
    RETURN_IF_ERROR(CheckValue(axis.name, axis.values[i]));
    if (std::find(axis.values.begin(), axis.values.begin() + i,
                  axis.values[i]) != axis.values.begin() + i) {
      return InvalidInput(
          fmt::format("{}={} is given twice", axis.name, axis.values[i]));
    }
  }
  return axis;
}

Result<TrialPrices> ParseTrialPrices(const std::string& text) {
  TrialPrices prices;
  for (const std::string& part : SplitAt(text, ',')) {
    ASSIGN_OR_RETURN(auto setting, SplitSetting(part, "cpu=PRICE"));
    double price = 0;
    const std::string& number = setting.second;
    const char* end = number.data() + number.size();
    auto [read_to, error] = std::from_chars(number.data(), end, price);
    if (error != std::errc() || read_to != end || !std::isfinite(price) ||
        price < 0) {
      return InvalidInput(fmt::format("'{}' is no price", number));
    }
    if (setting.first == "cpu") {
      prices.cpu = price;
    } else if (setting.first == "memory") {
      prices.gibibyte = price;
    } else if (setting.first == "gpu") {
      prices.gpu = price;
    } else {
      return InvalidInput(fmt::format(
          "no price for '{}'; there are cpu, memory (a GiB) and gpu",
          setting.first));
    }
  }
  if (prices.cpu + prices.gibibyte + prices.gpu <= 0) {
    return InvalidInput("at least one price must be positive");
  }
  return prices;
}

Result<std::vector<TrialVariant>> MakeTrialVariants(
    const ApplicationSpec& application, const std::vector<TrialAxis>& axes,
    const FindTrialDevice& find_device) {
  RETURN_IF_ERROR(CheckAxes(axes));
  std::vector<TrialVariant> variants = {{.application = application}};
  for (const TrialAxis& axis : axes) {
    std::vector<TrialVariant> longer;
    for (const TrialVariant& variant : variants) {
      for (const std::string& value : axis.values) {
        longer.push_back(variant);
        RETURN_IF_ERROR(Apply(axis.name, value, find_device, longer.back()));
      }
    }
    variants = std::move(longer);
  }
  for (TrialVariant& variant : variants) {
    if (variant.device) {
      AddDeviceLimits(*variant.device, variant.application.limits);
    }
  }
  return variants;
}

Result<double> PricePerHour(const TrialVariant& variant,
                            const TrialPrices& prices) {
  const Limits& limits = variant.application.limits;
  if (prices.cpu > 0 && !limits.cpus) {
    return InvalidInput(
        "CPUs have a price, but the application has no CPU limit; vary cpus "
        "or set its limit");
  }
  if (prices.gibibyte > 0 && !limits.memory) {
    return InvalidInput(
        "memory has a price, but the application has no memory limit; vary "
        "memory or set its limit");
  }
  double price = static_cast<double>(variant.gpus) * prices.gpu;
  if (limits.cpus) {
    price += static_cast<double>(limits.cpus->count) / 1000 * prices.cpu;
  }
  if (limits.memory) {
    price += static_cast<double>(limits.memory->count) /
             static_cast<double>(Gibibytes(1).count) * prices.gibibyte;
  }
  return price;
}

}  // namespace mete
