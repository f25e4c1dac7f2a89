#include "service/prepare_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "measure/network_options.h"
#include "support/file.h"
#include "zoo/applications.h"
#include "zoo/draft_digest.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

bool LooksLikeAFile(const std::string& given) {
  return given.ends_with(".onnx") || given.find('/') != std::string::npos;
}

Error UnknownApplication(const std::string& given) {
  return InvalidInput(
      fmt::format("unknown application '{}'; choose one of {}, or "
                  "the path of an ONNX file",
                  given, fmt::join(ApplicationNames(), ", ")));
}

}  // namespace

Result<NetworkToServe> PrepareNetwork(const PrepareNetworkRequest& question,
                                      GraphWriter& writer) {
  const std::string& given = question.given;
  if (LooksLikeAFile(given)) {
    RETURN_IF_ERROR(CheckNetworkFile(given));
    return NetworkToServe{.name = std::filesystem::path(given).stem(),
                          .path = given};
  }
  auto draft = MakeDraft(given, question.seed);
  if (!draft.ok()) return UnknownApplication(given);
  // The digest changes with the seed and whenever a version of mete defines the
  // network differently.
  NetworkToServe network{
      .name = given,
      .path = question.folder /
              fmt::format("{}-{}.onnx", given, DraftDigest(*draft))};
  std::error_code unknown;
  if (std::filesystem::exists(network.path, unknown)) return network;
  RETURN_IF_ERROR(MakeFolder(question.folder));
  RETURN_IF_ERROR(writer.Write(*draft, network.path));
  return network;
}

}  // namespace mete
