// The prediction routes, and placing. Each is implemented in its own file.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "predict/rank_devices.h"
#include "serve/prediction_api.h"
#include "serve/ready_nodes.h"
#include "serve/reply.h"
#include "serve/turns.h"
#include "support/json.h"

namespace mete {

// State shared by all requests.
struct PredictionContext {
  explicit PredictionContext(const PredictionApi& given)
      : api(given), nodes(given.nodes) {}

  PredictionApi api;
  // Makes file names unique.
  uint64_t NextNumber() const { return ++drawn_; }

  mutable ReadyNodesCache nodes;
  mutable Turns turns;  // for describing uploads
  // For starting services: loading a network may take minutes, and other
  // requests need threads, too.
  mutable Turns starts;

 private:
  mutable std::atomic<uint64_t> drawn_ = 0;
};

HttpReply AnswerProfiling(const PredictionContext& context,
                          const HttpRequest& request);
HttpReply AnswerUpload(const PredictionContext& context,
                       const HttpRequest& request);
HttpReply AnswerPredict(const PredictionContext& context,
                        const HttpRequest& request);

HttpReply AnswerPlace(const PredictionContext& context,
                      const HttpRequest& request);
HttpReply AnswerPlaceList(const PredictionContext& context);
HttpReply AnswerPlaceStop(const PredictionContext& context,
                          const std::string& id);

// The best of the known nodes, in PEPPER's field profiling_prediction.
struct BestNode {
  SortedJson prediction;
  // The value of the header Warning; "" without one.
  std::string warning;
  // Why the number is doubtful, for the field "warning" of the body; "" without
  // a doubt.
  std::string doubt;
};
OrReply<BestNode> PredictBestNode(const PredictionContext& context,
                                  const NetworkQuestion& question);

// An uploaded network and its description.
struct UploadedNetwork {
  UploadDescription described;
  // The counts and the traits.
  NetworkQuestion question;
};
// A file in the body of an upload.
struct UploadedFile {
  std::string file_name;  // sanitized
  std::string_view content;
};
// Refuses a file that is too large, or for which the folder has no space left.
std::optional<HttpReply> RefuseUploadOf(const UploadRule& rule, size_t size);
// Describes the file in place. An error reply names the field "file". Refuses a
// network whose layers depend on open sizes: no number could be trusted.
OrReply<UploadedNetwork> ReadUpload(const PredictionContext& context,
                                    const std::filesystem::path& path,
                                    const DescribeUpload& how);

}  // namespace mete
