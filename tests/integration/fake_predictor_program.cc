// mete with a predictor that tests can compute in their heads. All the rest is
// the real program's.
#include <cstdlib>

#include "cli/main.h"
#include "tests/fakes/fake_predictor.h"
#include "wiring/services.h"

namespace mete {
namespace {

std::optional<std::string> ReadVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

class PredictingServices final : public Services {
 public:
  explicit PredictingServices(std::unique_ptr<Services> real)
      : real_(std::move(real)) {}

  Result<PredictorSet> Predictors() override {
    return PredictorSet{.full = std::make_shared<FakePredictor>(),
                        .counts = std::make_shared<FakePredictor>(),
                        .starter = true};
  }

  Clock& TheClock() override { return real_->TheClock(); }
  Host& ThisHost() override { return real_->ThisHost(); }
  SystemProbes& Probes() override { return real_->Probes(); }
  GraphReader& Reader() override { return real_->Reader(); }
  GraphWriter& Writer() override { return real_->Writer(); }
  ImageReader& Images() override { return real_->Images(); }
  Result<Engine*> TheEngine() override { return real_->TheEngine(); }
  Result<RunStore*> Store() override { return real_->Store(); }
  Result<NodeSource*> Nodes() override { return real_->Nodes(); }
  std::filesystem::path PredictorsFolder() override {
    return real_->PredictorsFolder();
  }
  WorkbenchMaker& Benches() override { return real_->Benches(); }
  Result<JobStore*> Jobs() override { return real_->Jobs(); }
  Result<Launcher*> Processes() override { return real_->Processes(); }
  Result<ContainerEngine*> Containers() override { return real_->Containers(); }
  std::unique_ptr<MachineProbe> NewMachineProbe() override {
    return real_->NewMachineProbe();
  }
  Result<std::unique_ptr<AppListener>> Listen(const ListenRequest& request,
                                              AppEventSink& sink) override {
    return real_->Listen(request, sink);
  }
  std::filesystem::path RunsFolder() override { return real_->RunsFolder(); }

 private:
  std::unique_ptr<Services> real_;
};

}  // namespace
}  // namespace mete

int main(int argc, char** argv) {
  return mete::Main(argc, argv,
                    {.environment = mete::ReadVariable,
                     .variables = {},
                     .make_services = [](const mete::Settings& settings) {
                       return std::make_unique<mete::PredictingServices>(
                           mete::MakeServices(settings, mete::ReadVariable));
                     }});
}
