# How every target of this project is compiled, and how a part that the machine cannot build is
# left out: hyperacc_library, hyperacc_part, hyperacc_leave_out, hyperacc_report_parts.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

find_program(HYPERACC_CCACHE ccache)
mark_as_advanced(HYPERACC_CCACHE)
if(HYPERACC_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${HYPERACC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HYPERACC_CCACHE})
endif()

find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)

# Warnings and sanitizers of our own code, never of what it includes.
add_library(hyperacc_flags INTERFACE)
target_compile_options(hyperacc_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Werror
  # GCC 12 takes "text" + std::string() for an overlapping copy once it inlines it (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>)
target_include_directories(hyperacc_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(HYPERACC_SANITIZE)
  target_compile_options(hyperacc_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hyperacc_flags INTERFACE -fsanitize=address,undefined)
endif()
if(HYPERACC_FUZZ)
  target_compile_options(hyperacc_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined)
  target_link_options(hyperacc_flags INTERFACE -fsanitize=address,undefined)
endif()

# A library that is loaded into processes that are not ours: libstdc++ inside, no undefined
# symbol, bound at load time.
function(hyperacc_loadable target)
  target_link_options(${target} PRIVATE -Wl,-z,now -Wl,-z,relro -Wl,--exclude-libs,ALL
    # Static libstdc++ brings more than is used, and with it needs of its own.
    -Wl,--gc-sections)
  if(NOT HYPERACC_SANITIZE AND NOT HYPERACC_FUZZ)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

set_property(GLOBAL PROPERTY HYPERACC_LEFT_OUT "")

# hyperacc_leave_out(PART reason): an error when PART was asked for (ON), else one line at the end.
function(hyperacc_leave_out part reason)
  if(HYPERACC_${part} STREQUAL "ON")
    message(FATAL_ERROR "HYPERACC_${part}=ON, but ${reason}")
  endif()
  set_property(GLOBAL APPEND PROPERTY HYPERACC_LEFT_OUT "${part} (${reason})")
endfunction()

function(hyperacc_report_parts)
  get_property(left_out GLOBAL PROPERTY HYPERACC_LEFT_OUT)
  if(left_out)
    list(JOIN left_out ", " left_out)
    message(STATUS "HyperAcc: left out: ${left_out}")
  else()
    message(STATUS "HyperAcc: every part is built")
  endif()
endfunction()
