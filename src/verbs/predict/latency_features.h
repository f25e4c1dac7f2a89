// Computes the columns that predictors learn from, for a network and a device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/feature_table.h"
#include "predict/conditions.h"
#include "predict/question.h"
#include "predict/roofline.h"

namespace mete {

// Which columns are used: all properties found by `describe`, or those that the
// HTTP route of the PEPPER profiler carries (seven counts and the device).
enum class FeatureKind { kFull, kCounts };

// Name, unit and constraints of one column.
struct FeatureColumn {
  std::string name;
  std::string unit;  // "log2 bytes", "share", "1"
  int monotone = 0;  // as in TreeSettings
  // 0 means that the network has none of it. Such a value never counts as
  // outside the training range.
  bool zero_is_none = false;
  // It is not a property of the network alone.
  bool of_device = false;
};

// The columns in the order of FeatureRow.
const std::vector<FeatureColumn>& FeatureColumns(FeatureKind kind);

// The values of one question on one device. kFull requires traits. Counts that
// were not given are NaN.
std::vector<float> FeatureRow(FeatureKind kind, const NetworkQuestion& question,
                              const DeviceConditions& conditions);

// One row per device, bit for bit as FeatureRow returns it, without computing
// column names.
FeatureTable FeatureRows(FeatureKind kind, const NetworkQuestion& question,
                         std::span<const DeviceConditions> devices);

}  // namespace mete
