// XGBoost's C functions, looked up when the first trees are grown: answering
// needs none of them, and no other command shall pay for loading them.
#pragma once

#include <xgboost/c_api.h>

#include "support/result.h"

namespace mete {

// Under their own names without the prefix.
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

// Loaded at the first call, for good; from any thread. Fails with kUnavailable
// and what to install.
Result<const XgboostFunctions*> Xgboost();

}  // namespace mete
