# The field operations of the point formulas, recorded from the product's own templates, and the bounds of them all;
# and the generated tables beside what their generators write.
file(GLOB recording_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_executable(record_formulas ${recording_sources})
target_link_libraries(record_formulas PRIVATE signet_crypto)
set_target_properties(record_formulas PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
if(NOT SIGNET_SANITIZE)
  signet_script_test(formula_bounds bounds/formulas.py 120 $<TARGET_FILE:record_formulas>)
  signet_script_test(formula_bounds_can_fail bounds/formulas.py 600 $<TARGET_FILE:record_formulas> --control)
  signet_script_test(accumulator_bounds bounds/accumulators.py 120)
  signet_script_test(accumulator_bounds_can_fail bounds/accumulators.py 120 --control)
  signet_script_test(generated_files generated/compare.py 120)
  signet_script_test(generated_files_can_fail generated/compare.py 120 --control)
endif()
