# Precompiled standard and external headers that most files include anyway.
#
# They only save a second per compilation: a file must still include everything
# it uses. The lint preset builds without them and without batches, which exposes
# missing includes.
option(METE_PRECOMPILE "Precompile headers that most files include" ON)

set(METE_COMMON_HEADERS
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional>
  <map> <memory> <optional> <span> <sstream> <stop_token> <string>
  <string_view> <vector> <fmt/format.h>)

# Lets ccache identify a precompiled header by its content.
if(CCACHE AND METE_PRECOMPILE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${METE_CCACHE}
    "CCACHE_SLOPPINESS=pch_defines,time_macros" "${CCACHE}")
endif()

# mete_precompiled(NAME HEADERS … LINK … OPTIONS …): compiles
# headers once. The compiler accepts them only in targets with the same flags.
function(mete_precompiled name)
  if(NOT METE_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  set(source "${CMAKE_BINARY_DIR}/${name}.cc")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Owns a precompiled header.\n")
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE mete_options ${ARG_LINK})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS} -fpch-preprocess)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

function(mete_use_precompiled target name)
  if(METE_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# Test code is compiled without optimisation, because it is compiled more often
# than it is run. The code under test keeps its release flags.
set(METE_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)
# Linked last: of contradicting options, the last one counts.
add_library(mete_test_checks INTERFACE)
if(METE_SANITIZE MATCHES "undefined")
  # Checks of every pointer that is followed take a third of the time to compile
  # a test, and the address sanitizer finds pointers to nothing, too. Arithmetic,
  # bounds and conversions are checked in tests as well.
  target_compile_options(mete_test_checks INTERFACE
    -fno-sanitize=null,alignment,vptr)
endif()

mete_precompiled(mete_precompiled HEADERS ${METE_COMMON_HEADERS} LINK fmt::fmt)
if(METE_TESTS)
  mete_precompiled(mete_precompiled_test
    HEADERS ${METE_COMMON_HEADERS} <gtest/gtest.h> <gmock/gmock.h>
    LINK fmt::fmt GTest::gmock mete_test_checks OPTIONS ${METE_TEST_OPTIONS})
endif()
