// XGBoost's C functions, loaded when the first trees are trained: prediction
// does not need them, so other commands do not pay for loading them.
#pragma once

#include <xgboost/c_api.h>

#include <string>

#include "support/result.h"

namespace mete {

// The functions under their own names without the prefix.
struct XgboostFunctions {
  decltype(&::XGBGetLastError) get_last_error = nullptr;
  decltype(&::XGDMatrixCreateFromMat) matrix_create_from_mat = nullptr;
  decltype(&::XGDMatrixSetFloatInfo) matrix_set_float_info = nullptr;
  decltype(&::XGDMatrixFree) matrix_free = nullptr;
  decltype(&::XGBoosterCreate) booster_create = nullptr;
  decltype(&::XGBoosterSetParam) booster_set_param = nullptr;
  decltype(&::XGBoosterUpdateOneIter) booster_update_one_iter = nullptr;
  decltype(&::XGBoosterPredictFromDMatrix) booster_predict = nullptr;
  decltype(&::XGBoosterSaveModelToBuffer) booster_save = nullptr;
  decltype(&::XGBoosterFeatureScore) booster_feature_score = nullptr;
  decltype(&::XGBoosterFree) booster_free = nullptr;
};

// Loads a library. Fails with kUnavailable and a hint on what to install.
Result<XgboostFunctions> LoadXgboost(const std::string& name);

// Loads XGBoost at the first call and keeps it. Thread-safe.
Result<const XgboostFunctions*> Xgboost();

}  // namespace mete
