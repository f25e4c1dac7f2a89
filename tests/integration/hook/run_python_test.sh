#!/bin/sh
# Runs the tests of mete_hook.py. Exit code 77 means skipped to ctest.
if ! command -v python3 >/dev/null; then
  echo "skipped: python3 is not installed"
  exit 77
fi
exec python3 -B "$(dirname "$0")/hook_python_test.py"
