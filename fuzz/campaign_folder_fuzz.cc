// Reads arbitrary text as the files of a campaign that somebody else measured.
// Nothing may crash or throw, and the rows of what is accepted can be counted.
#include "contend/campaign_folder.h"
#include "fuzz/input.h"
#include "support/check.h"
#include "support/file.h"

namespace mete {
namespace {

// The first line is campaign.json, the rest the file of a mix.
class Campaign {
 public:
  Campaign() : folder_(CampaignFolder::Open(scratch_.path()).value()) {
    CHECK(MakeFolder(scratch_.path() / "mixes" / "m").ok());
  }

  void Try(std::string_view text) {
    Put("campaign.json", fuzz::TakeLine(text));
    Put("mixes/m/mix.json", text);
    if (auto mixes = folder_.ReadMixes(); mixes.ok()) {
      size_t runs = 0;
      for (const FinishedMix& mix : *mixes) runs += mix.runs.size();
      CHECK(RowsOf(*mixes).size() == runs);
    }
    static_cast<void>(folder_.ReadApplications().ok());
    if (folder_.KeepApplications({{"app", {}}}).ok()) {
      auto known = folder_.ReadApplications();
      CHECK(!known.ok() || known->contains("app"));
    }
    static_cast<void>(folder_.KeepSetup({.device_id = "d"}).ok());
  }

 private:
  void Put(const char* name, std::string_view text) {
    CHECK(WriteFileAtomically(scratch_.path() / name, text).ok());
  }

  ScratchFolder scratch_ = ScratchFolder::Create().value();
  CampaignFolder folder_;
};

}  // namespace
}  // namespace mete

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static mete::Campaign campaign;
  campaign.Try(fuzz::ToText(bytes, size));
  return 0;
}
