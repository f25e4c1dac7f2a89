# Language level, warnings and sanitizers shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# ccache identifies files by their paths below the source tree, so that clones and
# work trees of the project share what they compiled.
find_program(CCACHE ccache)
if(CCACHE)
  set(METE_CCACHE "${CMAKE_COMMAND};-E;env" "CCACHE_NOHASHDIR=1"
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${METE_CCACHE} "${CCACHE}")
endif()

add_library(mete_options INTERFACE)
# Every group is an include root, so that "measure/sample_csv.h" is enough. src/
# is the root of "adapters/…", the source tree the root of "tests/…".
foreach(group IN ITEMS base math core workloads verbs frontends)
  target_include_directories(mete_options INTERFACE
    "${CMAKE_SOURCE_DIR}/src/${group}")
endforeach()
target_include_directories(mete_options INTERFACE
  "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}")
# Designated initialisers leave fields at their defaults on purpose.
target_compile_options(mete_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With optimisation, g++ 12 wrongly reports overlapping and overlong copies in
  # std::string's operator+ and assignment (GCC bugs 105651, 105329), and reads of
  # an empty std::optional (GCC bug 80635).
  target_compile_options(mete_options INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread
    -Wno-maybe-uninitialized)
endif()
if(METE_SANITIZE)
  target_compile_options(mete_options INTERFACE
    -fsanitize=${METE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(mete_options INTERFACE -fsanitize=${METE_SANITIZE})
endif()
if(METE_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ warns that the sanitizer does not support Asio's fences. Asio also orders
  # its handlers by locks, which the sanitizer supports.
  target_compile_options(mete_options INTERFACE -Wno-tsan)
endif()
# Turns many memory errors into a crash at the place where they happen.
# Sanitizers find more and exclude FORTIFY.
option(METE_HARDEN "Stack protector, checked library calls, full RELRO" ON)
if(METE_HARDEN AND NOT METE_SANITIZE)
  # Position-independent programs are the compiler's default in Debian.
  target_compile_options(mete_options INTERFACE
    -fstack-protector-strong -fstack-clash-protection)
  target_compile_definitions(mete_options INTERFACE _GLIBCXX_ASSERTIONS)
  # The C library checks calls only in optimised code and warns otherwise.
  target_compile_options(mete_options INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(mete_options INTERFACE -Wl,-z,relro,-z,now)
endif()
option(METE_WERROR "Treat warnings as errors" OFF)
if(METE_WERROR)
  target_compile_options(mete_options INTERFACE -Werror)
endif()

# Environment of every test. External libraries are not instrumented; the file
# suppresses the sanitizer's reports about them and gives the reasons.
set(METE_TEST_ENVIRONMENT
  "TSAN_OPTIONS=suppressions='${CMAKE_SOURCE_DIR}/tools/sanitizers/threads.supp'"
  "LSAN_OPTIONS=suppressions='${CMAKE_SOURCE_DIR}/tools/sanitizers/leaks.supp':print_suppressions=0"
)
