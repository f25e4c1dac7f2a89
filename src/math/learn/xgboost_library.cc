#include "learn/xgboost_library.h"

#include <dlfcn.h>

namespace mete {
namespace {

template <typename Function>
bool LookUp(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<XgboostFunctions> LoadXgboost(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Unavailable("training requires " + name +
                       " (Debian: apt install libxgboost0): " + dlerror());
  }
  XgboostFunctions f;
  bool whole =
      LookUp(library, "XGBGetLastError", f.get_last_error) &&
      LookUp(library, "XGDMatrixCreateFromMat", f.matrix_create_from_mat) &&
      LookUp(library, "XGDMatrixSetFloatInfo", f.matrix_set_float_info) &&
      LookUp(library, "XGDMatrixFree", f.matrix_free) &&
      LookUp(library, "XGBoosterCreate", f.booster_create) &&
      LookUp(library, "XGBoosterSetParam", f.booster_set_param) &&
      LookUp(library, "XGBoosterUpdateOneIter", f.booster_update_one_iter) &&
      LookUp(library, "XGBoosterPredictFromDMatrix", f.booster_predict) &&
      LookUp(library, "XGBoosterSaveModelToBuffer", f.booster_save) &&
      LookUp(library, "XGBoosterFeatureScore", f.booster_feature_score) &&
      LookUp(library, "XGBoosterFree", f.booster_free);
  if (!whole) return Unavailable(name + " is too old");
  return f;
}

Result<const XgboostFunctions*> Xgboost() {
  static const Result<XgboostFunctions> loaded = LoadXgboost("libxgboost.so.0");
  if (!loaded.ok()) return loaded.error();
  return &*loaded;
}

}  // namespace mete
