// Sample quantiles.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace mete {

std::vector<double> Sorted(std::span<const double> values);

// The p-quantile of an ascending sample by definition 8 of Hyndman and Fan,
// "Sample quantiles in statistical packages", The American Statistician 50
// (1996) 361-365: order statistics interpolated at rank (n + 1/3) p + 1/3,
// which is median-unbiased whatever the distribution, to a good approximation.
// Ranks beyond the ends give the smallest or largest value. Absent when the
// sample is empty. p must be in [0, 1].
std::optional<double> QuantileOfSorted(std::span<const double> sorted,
                                       double p);

// The order statistic of a real-valued rank from 1 to n, interpolated linearly
// between its neighbours.
double AtRank(std::span<const double> sorted, double rank);

// The p-quantile of a sample in any order.
std::optional<double> Quantile(std::span<const double> values, double p);

}  // namespace mete
