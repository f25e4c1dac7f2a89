// The outside as the verbs see it: every part is made on first use, so that
// `mete --version` pays for none of them. Wiring implements it.
#pragma once

#include <filesystem>
#include <memory>

#include "measure/torch_program.h"
#include "ports/actuator.h"
#include "ports/app_event_sink.h"
#include "ports/app_listener.h"
#include "ports/engine.h"
#include "ports/graph_reader.h"
#include "ports/graph_writer.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "ports/job_store.h"
#include "ports/launchers.h"
#include "ports/machine_probe.h"
#include "ports/node_source.h"
#include "ports/notifier.h"
#include "ports/plot_renderer.h"
#include "ports/run_store.h"
#include "ports/series_source.h"
#include "ports/sweep_store.h"
#include "ports/system_probes.h"
#include "ports/workbench.h"
#include "predict/latency_predictor.h"
#include "predict/tree_predictor.h"
#include "support/clock.h"

namespace mete {

// Owns what it hands out. One thread unless said otherwise.
class Services {
 public:
  virtual ~Services() = default;

  virtual Clock& TheClock() = 0;
  virtual Host& ThisHost() = 0;
  virtual SystemProbes& Probes() = 0;
  virtual GraphReader& Reader() = 0;
  virtual GraphWriter& Writer() = 0;
  virtual ImageReader& Images() = 0;
  // Draws plots; that it can is only known when it does.
  virtual PlotRenderer& Plots() = 0;
  // Fails with kUnavailable or kUnsupported and what to do when there is no
  // fitting ONNX Runtime.
  virtual Result<Engine*> TheEngine() = 0;
  virtual Result<RunStore*> Store() = 0;
  // The nodes predictions are made for: those of the Prometheus that is set,
  // or else the devices of the store. Asks the outside at every call, for two
  // seconds at most; from one thread, which may be another one.
  virtual Result<NodeSource*> Nodes() = 0;
  // Reads the predictors anew. Fails with kUnavailable and what to do when
  // there are none. From any thread.
  virtual Result<PredictorSet> Predictors() = 0;
  // The full predictor of seconds, without calibrations.
  virtual Result<std::shared_ptr<const TreePredictor>> TrainedPredictor() = 0;
  // Where predictors are kept, and looked for.
  virtual std::filesystem::path PredictorsFolder() = 0;
  // The queue, in the same place as the runs.
  virtual Result<JobStore*> Jobs() = 0;
  // Sweeps, in the same place too.
  virtual Result<SweepStore*> Sweeps() = 0;
  // Runs commands and images. From any thread.
  virtual Launchers& TheLaunchers() = 0;
  // Makes devices to measure on.
  virtual WorkbenchMaker& Benches() = 0;
  // Looks at this machine, for one run. From any thread.
  virtual std::unique_ptr<MachineProbe> NewMachineProbe() = 0;
  // Listens to what an application tells through its hooks, on a socket in
  // the folder; `sink` must outlive the listener. From any thread.
  virtual Result<std::unique_ptr<AppListener>> Listen(
      const ListenRequest& request, AppEventSink& sink) = 0;
  // Series of an agent or another exporter at this URL.
  virtual Result<std::unique_ptr<SeriesSource>> AgentSeriesAt(
      const std::string& url) = 0;
  // The same of a Prometheus. It gets the credentials of the settings when it
  // is the one of the settings.
  virtual Result<std::unique_ptr<SeriesSource>> PrometheusSeriesAt(
      const std::string& url) = 0;
  // Changes limits of what runs on this machine; for another thread.
  virtual std::unique_ptr<Actuator> NewActuator() = 0;
  virtual std::unique_ptr<Notifier> NewNotifier() = 0;
  // Where mete-torch is looked for.
  virtual TorchPlaces Torch() = 0;
  // Where the files of runs are kept that do not fit a database.
  virtual std::filesystem::path RunsFolder() = 0;
};

}  // namespace mete
