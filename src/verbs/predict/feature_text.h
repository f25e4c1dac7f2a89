// Describes columns of a predictor for people: "load 99 % (training range 0 %
// to 80 %)". Columns hold logarithms and shares, which only the trees can read.
#pragma once

#include <string>

#include "predict/latency_features.h"

namespace mete {

// The name of a column for people: "operations per node" for node_flops.
std::string FeatureLabel(const FeatureColumn& column);

// A value of a column in the unit that people use: "262 k", "588 KiB", "47 %".
std::string FeatureValue(const FeatureColumn& column, double value);

}  // namespace mete
