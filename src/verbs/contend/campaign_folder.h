// The folder of a campaign: what is known of the applications, the requests,
// and one folder for each mix that was measured. A campaign that was
// killed resumes from it.
//
//   campaign.json        how mixes are measured, and the applications alone
//   KIND.json            the request of a baseline, pairwise, … campaign
//   mixes/ID/mix.json    the mix and its runs; written last, so that a mix
//                        with this file is complete
//   mixes/ID/…           the same mix in NeuRO's layout
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contend/campaign_plan.h"
#include "contend/measure_mix.h"
#include "domain/run.h"
#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// What all mixes of a folder have in common, so that they can be compared.
struct CampaignSetup {
  std::string device_id;
  std::string device_name;
  MixTiming timing;
  std::string launcher;
  std::string image;  // empty: processes
};

// A mix that was measured, with one run for each tenant.
struct FinishedMix {
  Mix mix;
  std::vector<Run> runs;
};

// A campaign folder. While it is open, another mete cannot measure into it.
class CampaignFolder {
 public:
  // Creates the folder if necessary. Fails with kUnavailable when another mete
  // measures into it, and as file operations do.
  static Result<CampaignFolder> Open(const std::filesystem::path& path);

  // For reading only: not locked, and not created.
  static CampaignFolder ToRead(const std::filesystem::path& path) {
    return CampaignFolder(path, Descriptor());
  }

  const std::filesystem::path& path() const { return path_; }

  // The first call stores the setup; later ones fail with kInvalidInput and the
  // difference if it is another one.
  Status KeepSetup(const CampaignSetup& setup);
  // The same for the request of each kind, except the number of mixes, which
  // may grow or shrink.
  Status KeepRequest(const CampaignRequest& request);

  // The applications that have been measured alone.
  Result<KnownApplications> ReadApplications() const;
  Status KeepApplications(const KnownApplications& known);

  Status KeepMix(const MixMeasurement& measured, const std::vector<Run>& runs);
  // Of all kinds, by time of start.
  Result<std::vector<FinishedMix>> ReadMixes() const;

 private:
  CampaignFolder(std::filesystem::path path, Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  Descriptor lock_;
};

// The rows of these mixes, in order.
std::vector<MixObservation> RowsOf(const std::vector<FinishedMix>& mixes);

}  // namespace mete
