// A campaign for people and programs: its plan, its duration and its result.
#pragma once

#include <string>
#include <vector>

#include "contend/run_campaign.h"
#include "support/json_fwd.h"
#include "support/table.h"

namespace mete {

// A plan before it is measured. Without mixes, the rates follow from service
// times that are not known yet.
struct CampaignOutline {
  MixKind kind = MixKind::kRandom;
  size_t count = 0;
  std::vector<Mix> mixes;
  size_t measured = 0;  // of them, before
  Seconds each{0};      // about, for one mix
};

// Reads what the folder knows without changing it. Fails like PlanCampaign.
Result<CampaignOutline> OutlineCampaign(const ContendRequest& request,
                                        double cores);

std::string OutlineText(const CampaignOutline& outline);
Json OutlineJson(const CampaignOutline& outline);
std::string OutlineCsv(const CampaignOutline& outline);

// For each application: its slowdown over all rows of the campaign.
std::string CampaignText(const ContendSummary& summary);
Json CampaignJson(const ContendSummary& summary);
// The tidy table.
std::string MixTableCsv(const std::vector<MixObservation>& rows);

}  // namespace mete
