#include "wiring/control_dependencies.h"

#include "ports/actuator.h"
#include "ports/notifier.h"
#include "ports/series_source.h"

namespace mete {

ControllerDependencies ForControl(System& system) {
  return {.open_agent =
              [&system](const std::string& url) {
                return system.AgentSeriesAt(url);
              },
          .open_prometheus =
              [&system](const std::string& url) {
                return system.PrometheusSeriesAt(url);
              },
          .new_actuator = [&system] { return system.NewActuator(); },
          .new_notifier = [&system] { return system.NewNotifier(); },
          .clock = system.TheClock()};
}

}  // namespace mete
