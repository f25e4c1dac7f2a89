// The three prediction routes, each a function of its own file.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "domain/characteristics.h"
#include "domain/input_shapes.h"
#include "predict/rank_devices.h"
#include "serve/prediction_api.h"
#include "serve/ready_nodes.h"
#include "serve/reply.h"
#include "support/json.h"

namespace mete {

// What all requests share.
struct PredictionContext {
  explicit PredictionContext(const PredictionApi& given)
      : api(given), nodes(given.nodes) {}

  PredictionApi api;
  // For names of files that nobody else has.
  uint64_t NextNumber() const { return ++drawn_; }

  mutable ReadyNodesCache nodes;

 private:
  mutable std::atomic<uint64_t> drawn_ = 0;
};

HttpReply AnswerProfiling(const PredictionContext& context,
                          const HttpRequest& request);
HttpReply AnswerUpload(const PredictionContext& context,
                       const HttpRequest& request);
HttpReply AnswerPredict(const PredictionContext& context,
                        const HttpRequest& request);

// The best of the known nodes, as the predecessor's profiling_prediction.
struct BestNode {
  SortedJson prediction;
  // For the field of that name in the reply's head; "" when there is none.
  std::string warning;
};
OrReply<BestNode> PredictBestNode(const PredictionContext& context,
                                  const NetworkQuestion& question);

// A network that was uploaded, described.
struct UploadedNetwork {
  Characteristics described;
  // Its counts, and its traits when no size is left open.
  NetworkQuestion question;
};
struct UploadedFile {
  std::string file_name;  // safe
  std::string_view content;
};
struct DescribeUpload {
  int64_t batch = 1;
  std::vector<ShapeOverride> shapes;
};
// Reads the file where it lies. The reply blames the field "file".
OrReply<UploadedNetwork> ReadUpload(const PredictionContext& context,
                                    const std::filesystem::path& path,
                                    const std::string& name,
                                    const DescribeUpload& how);

}  // namespace mete
