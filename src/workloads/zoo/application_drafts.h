// Internal to the catalogue: one function for each application, in a file of
// its name.
#pragma once

#include "zoo/applications.h"

namespace mete {

NetworkDraft TclfGcn(const std::string& name, ApplicationSize size,
                     uint64_t seed);
NetworkDraft TclfRf(const std::string& name, ApplicationSize size,
                    uint64_t seed);
NetworkDraft TstrLstm(const std::string& name, ApplicationSize size,
                      uint64_t seed);
NetworkDraft KalmanGru(const std::string& name, ApplicationSize size,
                       uint64_t seed);
NetworkDraft IclfMnet(const std::string& name, ApplicationSize size,
                      uint64_t seed);
NetworkDraft TextBert(const std::string& name, ApplicationSize size,
                      uint64_t seed);
NetworkDraft IclfEfnet(const std::string& name, ApplicationSize size,
                       uint64_t seed);
NetworkDraft TextTbert(const std::string& name, ApplicationSize size,
                       uint64_t seed);
NetworkDraft IclfMvit(const std::string& name, ApplicationSize size,
                      uint64_t seed);

}  // namespace mete
