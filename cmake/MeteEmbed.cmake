# mete_embed(mete_report HEADER report/page_files.h
#   FILES kPageScript=page/report.js …): embeds files in the target as
# std::string_view constants, which the header declares. The files are read at
# build time.
function(mete_embed target)
  cmake_parse_arguments(ARG "" "HEADER" "FILES" ${ARGN})
  set(inputs)
  foreach(entry IN LISTS ARG_FILES)
    string(REGEX REPLACE "^[^=]*=" "" file "${entry}")
    list(APPEND inputs "${file}")
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cc")
  list(JOIN ARG_FILES "|" entries)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DENTRIES=${entries}" "-DHEADER=${ARG_HEADER}"
      "-DOUTPUT=${output}" -P "${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake"
    DEPENDS ${inputs} "${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Embedding files into ${target}" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
