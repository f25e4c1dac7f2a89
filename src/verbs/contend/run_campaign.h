// Runs a campaign: measures every mix of a plan, stores its runs, and resumes
// where an earlier call was interrupted or killed.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "contend/campaign_folder.h"
#include "contend/choose_mix.h"
#include "contend/measure_mix.h"
#include "contend/service_pool.h"
#include "measure/run_id.h"
#include "ports/host.h"
#include "ports/run_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What starts the services.
struct ServicePlace {
  std::string launcher = "process";  // or "docker", "kubernetes"
  std::string image;                 // of containers
};

// What to measure, how and where to keep it.
struct ContendRequest {
  CampaignRequest plan;  // `cores` is set from the device
  // Of baselines and pairs: at most this many, chosen by the seed.
  std::optional<size_t> at_most;
  MixTiming timing;
  ServicePoolSettings pool;
  ServicePlace place;
  std::filesystem::path folder;
  std::string mete_version;
};

// Borrowed for the duration of a call.
struct ContendDependencies {
  RunStore& runs;
  Host& host;
  Clock& clock;
  std::function<RunEntropy()> draw_entropy;
  // Fails with kUnsupported or kUnavailable and advice, and with kInterrupted
  // after `stop`.
  std::function<Result<std::unique_ptr<ServiceStarter>>(const ServicePlace&,
                                                        std::stop_token stop)>
      open_starter;
  DriveLoad drive;
  // For active campaigns. Fails when there are no predictors.
  std::function<Result<std::unique_ptr<MixChooser>>(uint64_t seed)>
      open_chooser;
  // Campaigns without a folder of their own are kept here.
  std::filesystem::path campaigns_folder;
};

// How far a campaign is.
struct ContendProgress {
  size_t done = 0;  // mixes, including those measured before
  size_t total = 0;
  std::string step;             // "random-017: fast x2, slow"
  std::optional<Seconds> left;  // absent: too early to estimate
};

// Each may be empty.
struct ContendCallbacks {
  std::function<void(const ContendProgress&)> progress;
  std::function<void(const std::string&)> warn;
};

// What a campaign did.
struct ContendSummary {
  std::filesystem::path folder;
  size_t planned = 0;
  size_t found = 0;      // measured before
  size_t measured = 0;   // now
  size_t failed = 0;     // now; measured by the next call
  size_t saturated = 0;  // mixes with a saturated tenant
  bool interrupted = false;
  std::string infeasible;  // why no mix of the plan can be measured; usually ""
  std::vector<MixObservation> rows;  // of everything in the folder
};

// The services of a mix that fails are started again once. A mix that fails
// twice is left out with a warning; three such mixes in a row end the campaign.
// Fails as CampaignFolder does, and when an application cannot
// be measured alone. Nothing is left running.
Result<ContendSummary> RunCampaign(const ContendRequest& request,
                                   const ContendDependencies& dependencies,
                                   const ContendCallbacks& callbacks,
                                   std::stop_token stop);

// The mixes of a plan in the order of measuring: baselines and pairs are
// shuffled by the seed, so that a drift of the machine affects all of them
// equally, and limited to `at_most`.
Result<std::vector<Mix>> OrderedPlan(const CampaignRequest& request,
                                     std::optional<size_t> at_most,
                                     const KnownApplications& known);

}  // namespace mete
