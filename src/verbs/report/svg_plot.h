// Plots as SVG that stands in a page: no script, the page's colours.
#pragma once

#include <string>

#include "domain/plot.h"

namespace mete {

std::string SvgOf(const Plot& plot);
// Lying, one below the other, each with its value.
std::string SvgOf(const BarChart& chart);
std::string SvgOf(const Drawing& drawing);

}  // namespace mete
