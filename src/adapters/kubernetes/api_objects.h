// Lists and deletes objects of any kind as JSON.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "adapters/kubernetes/api_client.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Every object in the collection at `path` that the label selector matches, in
// pages.
Result<std::vector<Json>> ListObjects(ApiClient& client,
                                      const std::string& path,
                                      const std::string& selector,
                                      std::stop_token stop);

// `options` is the body of the request. Succeeds if the object is gone.
Status DeleteObject(ApiClient& client, const std::string& path,
                    const Json& options, const std::string& act,
                    std::stop_token stop = {});

}  // namespace mete
