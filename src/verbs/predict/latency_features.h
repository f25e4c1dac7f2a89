// The columns predictors learn from, computed from a network and a device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/feature_table.h"
#include "predict/conditions.h"
#include "predict/question.h"
#include "predict/roofline.h"

namespace mete {

// Which columns: all that describe tells, or what the predecessor's route
// carries (seven counts and the device).
enum class FeatureKind { kFull, kCounts };

struct FeatureColumn {
  std::string name;
  std::string unit;  // "log2 bytes", "share", "1"
  int monotone = 0;  // as in TreeSettings
  // 0 says that there is none of it, which is never beyond what was trained.
  bool zero_is_none = false;
};

// In the order of FeatureRow.
const std::vector<FeatureColumn>& FeatureColumns(FeatureKind kind);

// Of a question with traits for kFull. Counts that were not given are NaN.
std::vector<float> FeatureRow(FeatureKind kind, const NetworkQuestion& question,
                              const DeviceConditions& conditions);

// One such row a device, the same bits, without the columns' names.
FeatureTable FeatureRows(FeatureKind kind, const NetworkQuestion& question,
                         std::span<const DeviceConditions> devices);

}  // namespace mete
