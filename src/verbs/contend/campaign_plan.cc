#include "contend/campaign_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "support/random.h"

namespace mete {
namespace {

// Shares of the time for which an instance is busy, when no rates are given.
constexpr std::array<double, 4> kBusyShares{0.05, 0.15, 0.3, 0.5};
// The load of a random mix, as a share of all cores: mostly stable, sometimes
// a little more than the device can serve.
constexpr double kLightestLoad = 0.1;
constexpr double kHeaviestLoad = 1.1;
constexpr size_t kMostTenants = 4;
// Draws of one random mix before the memory budget counts as too small.
constexpr int kDraws = 500;

std::vector<double> RatesFor(const CampaignRequest& request,
                             const ApplicationFacts& facts) {
  if (!request.rates.empty()) return request.rates;
  std::vector<double> rates;
  for (double share : kBusyShares) {
    rates.push_back(share / facts.service_time.count());
  }
  return rates;
}

double MemoryNeeded(const std::vector<Tenant>& tenants,
                    const KnownApplications& known) {
  double bytes = 0;
  for (const Tenant& tenant : tenants) {
    // CheckFacts requires it for a budget.
    bytes += tenant.instances *
             static_cast<double>(known.at(tenant.application).memory->count);
  }
  return bytes;
}

bool FitsBudget(const CampaignRequest& request, const KnownApplications& known,
                const std::vector<Tenant>& tenants) {
  return !request.memory_budget ||
         MemoryNeeded(tenants, known) <=
             static_cast<double>(request.memory_budget->count);
}

// Adds mixes with consecutive names.
class MixList {
 public:
  MixList(const CampaignRequest& request, const KnownApplications& known)
      : request_(request), known_(known) {}

  bool Add(std::vector<Tenant> tenants) {
    if (!FitsBudget(request_, known_, tenants)) return false;
    std::string id =
        fmt::format("{}-{:03}", MixKindName(request_.kind), mixes_.size() + 1);
    uint64_t seed = DeriveSeed(request_.seed, id);
    mixes_.push_back({.id = std::move(id),
                      .kind = request_.kind,
                      .tenants = std::move(tenants),
                      .seed = seed});
    return true;
  }
  std::vector<Mix> Take() { return std::move(mixes_); }

 private:
  const CampaignRequest& request_;
  const KnownApplications& known_;
  std::vector<Mix> mixes_;
};

void AddBaselines(const CampaignRequest& request,
                  const KnownApplications& known, MixList& list) {
  for (const std::string& name : request.applications) {
    for (double rate : RatesFor(request, known.at(name))) {
      list.Add({{.application = name, .instances = 1, .rate = rate}});
    }
  }
}

void AddPairs(const CampaignRequest& request, const KnownApplications& known,
              MixList& list) {
  for (const std::string& victim : request.applications) {
    std::vector<double> own = RatesFor(request, known.at(victim));
    Tenant first{.application = victim,
                 .instances = 1,
                 .rate = *std::min_element(own.begin(), own.end())};
    for (const std::string& aggressor : request.applications) {
      for (int instances : request.instances) {
        for (double rate : RatesFor(request, known.at(aggressor))) {
          list.Add({first,
                    {.application = aggressor,
                     .instances = instances,
                     .rate = rate}});
        }
      }
    }
  }
}

// Divides 1 into random parts; each is at least a fifth of an equal part, so
// that every tenant gets enough requests to be measured.
std::vector<double> RandomParts(size_t count, Random& random) {
  std::vector<double> parts(count);
  for (double& part : parts) part = 0.25 + random.Uniform();
  double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double& part : parts) part /= sum;
  return parts;
}

std::vector<Tenant> DrawTenants(const CampaignRequest& request,
                                const KnownApplications& known,
                                Random& random) {
  std::vector<std::string> names = request.applications;
  Shuffle(names, random);
  names.resize(1 + random.Below(std::min(names.size(), kMostTenants)));
  double load =
      request.cores *
      (kLightestLoad + (kHeaviestLoad - kLightestLoad) * random.Uniform());
  std::vector<double> parts = RandomParts(names.size(), random);
  std::vector<Tenant> tenants;
  for (size_t i = 0; i < names.size(); ++i) {
    int instances = request.instances[random.Below(request.instances.size())];
    double rate = request.rates.empty()
                      ? load * parts[i] / instances /
                            known.at(names[i]).service_time.count()
                      : request.rates[random.Below(request.rates.size())];
    tenants.push_back(
        {.application = names[i], .instances = instances, .rate = rate});
  }
  return tenants;
}

Status AddRandomMixes(const CampaignRequest& request,
                      const KnownApplications& known, MixList& list) {
  for (size_t i = 0; i < request.mixes; ++i) {
    Random random(DeriveSeed(request.seed, fmt::format("mix {}", i)));
    int draws = 0;
    while (!list.Add(DrawTenants(request, known, random))) {
      if (++draws == kDraws) {
        return Unsupported(
            fmt::format("no mix of {} draws fits the memory budget", kDraws));
      }
    }
  }
  return {};
}

Status CheckFacts(const CampaignRequest& request,
                  const KnownApplications& known) {
  for (const std::string& name : request.applications) {
    auto found = known.find(name);
    if (found == known.end() || found->second.service_time <= Seconds{0}) {
      return InvalidInput("the service time of " + name + " is not known");
    }
    if (request.memory_budget && !found->second.memory) {
      return Unsupported("a memory budget requires the memory of " + name +
                         ", which could not be measured");
    }
  }
  return {};
}

Status CheckRequest(const CampaignRequest& request) {
  if (request.applications.empty()) {
    return InvalidInput("expected at least one application");
  }
  bool positive =
      std::all_of(request.instances.begin(), request.instances.end(),
                  [](int count) { return count > 0; });
  if (request.instances.empty() || !positive) {
    return InvalidInput("numbers of instances must be positive");
  }
  for (double rate : request.rates) {
    if (!(rate > 0)) return InvalidInput("rates must be positive");
  }
  return {};
}

}  // namespace

Result<std::vector<Mix>> PlanCampaign(const CampaignRequest& request,
                                      const KnownApplications& known) {
  RETURN_IF_ERROR(CheckRequest(request));
  RETURN_IF_ERROR(CheckFacts(request, known));
  MixList list(request, known);
  switch (request.kind) {
    case MixKind::kBaseline:
      AddBaselines(request, known, list);
      break;
    case MixKind::kPairwise:
      AddPairs(request, known, list);
      break;
    case MixKind::kRandom:
    case MixKind::kActive:
      RETURN_IF_ERROR(AddRandomMixes(request, known, list));
      break;
  }
  std::vector<Mix> mixes = list.Take();
  if (mixes.empty() && CountMixes(request) > 0) {
    return Unsupported("no mix fits the memory budget");
  }
  return mixes;
}

size_t CountMixes(const CampaignRequest& request) {
  size_t apps = request.applications.size();
  size_t rates =
      request.rates.empty() ? kBusyShares.size() : request.rates.size();
  switch (request.kind) {
    case MixKind::kBaseline:
      return apps * rates;
    case MixKind::kPairwise:
      return apps * apps * request.instances.size() * rates;
    case MixKind::kRandom:
    case MixKind::kActive:
      return request.mixes;
  }
  return 0;
}

}  // namespace mete
