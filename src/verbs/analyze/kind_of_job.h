// Decides what a job does most of the time.
#pragma once

#include "analyze/analyze_job.h"

namespace mete {

// `analyses` are those of the series that were measured.
KindOfJob FindKindOfJob(const JobSeries& series,
                        const std::vector<NamedAnalysis>& analyses);

}  // namespace mete
