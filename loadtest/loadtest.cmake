# Tools that measure, beside OpenSSL's libcrypto. They are built with the tests, where OpenSSL is found and no sanitizer
# is in the way; the scripts of this folder need no build of their own.
if(NOT SIGNET_TESTS OR SIGNET_SANITIZE)
  return()
endif()
find_package(OpenSSL 3.0 QUIET)
if(NOT OPENSSL_FOUND)
  message(STATUS "loadtest: no OpenSSL here, so prims is not built")
  return()
endif()

file(GLOB prims_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/prims/*.cpp)
add_executable(prims ${prims_sources})
target_link_libraries(prims PRIVATE signet_tls OpenSSL::Crypto)
set_target_properties(prims PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/loadtest)

# For memory and kept: a server to measure ours beside, a client that goes from phase to phase, and engines alone.
foreach(tool openssl_server phase_client)
  add_executable(${tool} ${CMAKE_CURRENT_LIST_DIR}/${tool}.c)
  target_compile_options(${tool} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  target_link_libraries(${tool} PRIVATE OpenSSL::SSL OpenSSL::Crypto)
endforeach()
add_executable(engines ${CMAKE_CURRENT_LIST_DIR}/engines.cpp)
target_link_libraries(engines PRIVATE signet_server signet_test_tls)
set_target_properties(openssl_server phase_client engines PROPERTIES
                      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/loadtest)
