// Included where it may not be.
#pragma once
