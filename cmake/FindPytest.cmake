# Of several Python interpreters, one that has pytest: Pytest_COMMAND is the command line that runs
# it without writing into the source tree. HYPERACC_TEST_PYTHON names another interpreter.
foreach(candidate IN ITEMS ${HYPERACC_TEST_PYTHON} python3 /usr/bin/python3)
  execute_process(COMMAND ${candidate} -c "import pytest, sys; print(sys.executable)"
    RESULT_VARIABLE result OUTPUT_VARIABLE interpreter OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(result EQUAL 0)
    set(Pytest_COMMAND ${interpreter} -B -m pytest -q -p no:cacheprovider --import-mode=importlib)
    break()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Pytest REQUIRED_VARS Pytest_COMMAND
  REASON_FAILURE_MESSAGE "apt-get install python3-pytest, or set HYPERACC_TEST_PYTHON")
