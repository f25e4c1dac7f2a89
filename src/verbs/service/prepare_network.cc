#include "service/prepare_network.h"

#include <fmt/format.h>

#include <system_error>

#include "measure/network_options.h"
#include "support/file.h"
#include "support/nearest.h"
#include "zoo/draft_digest.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

bool LooksLikeAFile(const std::string& given) {
  return given.ends_with(".onnx") || given.find('/') != std::string::npos;
}

Error UnknownNetwork(const std::string& given) {
  const std::string near = DidYouMean(given, AllZooNames());
  return InvalidInput(fmt::format("unknown network '{}'", given) +
                      (near.empty()
                           ? "; expected one of mete zoo list, or an ONNX file"
                           : near));
}

}  // namespace

Result<NetworkToServe> PrepareNetwork(const PrepareNetworkRequest& request,
                                      GraphWriter& writer) {
  const std::string& given = request.given;
  if (LooksLikeAFile(given)) {
    RETURN_IF_ERROR(CheckNetworkFile(given));
    return NetworkToServe{.name = std::filesystem::path(given).stem(),
                          .path = given};
  }
  auto draft = MakeDraft(given, request.seed);
  if (!draft.ok()) return UnknownNetwork(given);
  // The digest changes with the seed and whenever a version of mete defines the
  // network differently.
  NetworkToServe network{
      .name = given,
      .path = request.folder /
              fmt::format("{}-{}.onnx", given, DraftDigest(*draft))};
  std::error_code unknown;
  if (std::filesystem::exists(network.path, unknown)) return network;
  RETURN_IF_ERROR(MakeFolder(request.folder));
  RETURN_IF_ERROR(writer.Write(*draft, network.path));
  return network;
}

}  // namespace mete
