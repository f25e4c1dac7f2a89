// What it costs to evaluate the content of one server.
#pragma once

namespace mete {

// Prints nanoseconds per application for the linear rows of pressures, for
// predicting all times, and for NeuRO's network in C++.
void PrintCosts();

}  // namespace mete
