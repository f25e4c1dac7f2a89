#!/bin/sh
# Runs the tests of mete_hook.py; 77 tells ctest that they were skipped.
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 is not installed"
  exit 77
fi
exec python3 -B "$(dirname "$0")/hook_python_test.py"
