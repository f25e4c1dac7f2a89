#include "learn/boosted_trees.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "learn/xgboost_library.h"
#include "support/json.h"

namespace mete {
namespace {

// Training checks that the library is loaded; everything else needs trained
// trees.
const XgboostFunctions& Library() { return **Xgboost(); }

Status Checked(int code, std::string_view act) {
  if (code == 0) return {};
  // The first line of the library's message; a stack trace follows it.
  std::string message = Library().get_last_error();
  return InvalidInput(
      fmt::format("{}: {}", act, message.substr(0, message.find('\n'))));
}

// XGBoost's own matrix for a table.
class Matrix {
 public:
  Matrix() = default;
  ~Matrix() {
    if (handle_ != nullptr) Library().matrix_free(handle_);
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  Status Fill(const FeatureTable& table) {
    return Checked(Library().matrix_create_from_mat(
                       table.cells.data(), table.rows(), table.columns.size(),
                       std::numeric_limits<float>::quiet_NaN(), &handle_),
                   "pass rows to XGBoost");
  }
  Status Set(const char* field, const std::vector<float>& values) {
    return Checked(Library().matrix_set_float_info(
                       handle_, field, values.data(), values.size()),
                   "pass targets to XGBoost");
  }
  DMatrixHandle get() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

double ComputeMean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

std::string MonotoneText(const std::vector<int>& monotone) {
  std::string text = "(";
  for (int direction : monotone) text += fmt::format("{},", direction);
  text.back() = ')';
  return text;
}

std::vector<std::pair<std::string, std::string>> Parameters(
    const TreeSettings& settings, double base) {
  std::vector<std::pair<std::string, std::string>> parameters = {
      {"objective", "reg:squarederror"},
      {"tree_method", "hist"},
      {"verbosity", "0"},
      {"max_depth", std::to_string(settings.depth)},
      {"eta", fmt::format("{}", settings.learning_rate)},
      {"subsample", fmt::format("{}", settings.row_share)},
      {"colsample_bytree", fmt::format("{}", settings.column_share)},
      {"lambda", fmt::format("{}", settings.lambda)},
      {"min_child_weight", fmt::format("{}", settings.min_child_weight)},
      {"seed", std::to_string(settings.seed)},
      {"nthread", std::to_string(settings.threads)},
      {"base_score", fmt::format("{:.9g}", base)}};
  if (!settings.monotone.empty()) {
    parameters.emplace_back("monotone_constraints",
                            MonotoneText(settings.monotone));
  }
  return parameters;
}

Status CheckRows(const TrainingRows& rows, const TreeSettings& settings) {
  size_t count = rows.table.rows();
  if (count == 0) return InvalidInput("train: no rows to learn from");
  bool fit = rows.target.size() == count &&
             (rows.weights.empty() || rows.weights.size() == count) &&
             (settings.monotone.empty() ||
              settings.monotone.size() == rows.table.columns.size());
  if (!fit) return InvalidInput("train: rows and targets differ in number");
  return {};
}

}  // namespace

struct Booster::Handle {
  BoosterHandle booster = nullptr;
  size_t columns = 0;
  ~Handle() {
    if (booster != nullptr) Library().booster_free(booster);
  }
};

Booster::Booster(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Booster::~Booster() = default;
Booster::Booster(Booster&&) noexcept = default;
Booster& Booster::operator=(Booster&&) noexcept = default;

Result<Booster> Booster::Train(const TrainingRows& rows,
                               const TreeSettings& settings) {
  RETURN_IF_ERROR(CheckRows(rows, settings));
  RETURN_IF_ERROR(Xgboost());
  Matrix matrix;
  RETURN_IF_ERROR(matrix.Fill(rows.table));
  RETURN_IF_ERROR(matrix.Set("label", rows.target));
  if (!rows.weights.empty()) {
    RETURN_IF_ERROR(matrix.Set("weight", rows.weights));
  }
  auto handle = std::make_unique<Handle>();
  handle->columns = rows.table.columns.size();
  DMatrixHandle data = matrix.get();
  RETURN_IF_ERROR(Checked(Library().booster_create(&data, 1, &handle->booster),
                          "start XGBoost"));
  for (const auto& [name, value] :
       Parameters(settings, ComputeMean(rows.target))) {
    RETURN_IF_ERROR(Checked(Library().booster_set_param(
                                handle->booster, name.c_str(), value.c_str()),
                            "set " + name));
  }
  for (int round = 0; round < settings.trees; ++round) {
    RETURN_IF_ERROR(
        Checked(Library().booster_update_one_iter(handle->booster, round, data),
                "grow a tree"));
  }
  return Booster(std::move(handle));
}

Result<std::vector<float>> Booster::Predict(const FeatureTable& table) const {
  Matrix matrix;
  RETURN_IF_ERROR(matrix.Fill(table));
  bst_ulong const* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  RETURN_IF_ERROR(Checked(
      Library().booster_predict(
          handle_->booster, matrix.get(),
          R"({"type":0,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false})",
          &shape, &dimensions, &values),
      "predict"));
  return std::vector<float>(values, values + table.rows());
}

Result<std::string> Booster::SaveJson() const {
  bst_ulong length = 0;
  const char* bytes = nullptr;
  RETURN_IF_ERROR(
      Checked(Library().booster_save(handle_->booster, R"({"format":"json"})",
                                     &length, &bytes),
              "save trees"));
  return std::string(bytes, length);
}

Result<std::vector<double>> Booster::GainShares() const {
  bst_ulong count = 0;
  bst_ulong dimensions = 0;
  const char** names = nullptr;
  bst_ulong const* shape = nullptr;
  const float* scores = nullptr;
  RETURN_IF_ERROR(
      Checked(Library().booster_feature_score(
                  handle_->booster, R"({"importance_type":"total_gain"})",
                  &count, &names, &dimensions, &shape, &scores),
              "read gains"));
  std::vector<double> shares(handle_->columns, 0.0);
  double whole = std::accumulate(scores, scores + count, 0.0);
  for (bst_ulong i = 0; i < count; ++i) {
    // Columns without names are called f0, f1, ….
    size_t column = std::stoul(names[i] + 1);
    if (column < shares.size() && whole > 0) shares[column] = scores[i] / whole;
  }
  return shares;
}

Result<FlatTrees> TrainTrees(const TrainingRows& rows,
                             const TreeSettings& settings) {
  ASSIGN_OR_RETURN(Booster booster, Booster::Train(rows, settings));
  ASSIGN_OR_RETURN(std::string json, booster.SaveJson());
  return FlatTrees::FromXgboost(json, rows.table.columns.size());
}

}  // namespace mete
