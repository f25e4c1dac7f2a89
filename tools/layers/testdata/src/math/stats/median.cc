// Breaks the rule the test looks for: stats declares no dependency.
#include "support/result.h"
