# `cmake --install`, and the package that makes find_package(signet) and the target signet::signet work. Within a tree
# that adds this one as a subdirectory the target has the same name.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(signet INTERFACE)
add_library(signet::signet ALIAS signet)
target_link_libraries(signet INTERFACE signet_server)

# Each layer under its own name, signet::base and so on.
set(layers base crypto tls http server_io server)
foreach(layer ${layers})
  set_target_properties(signet_${layer} PROPERTIES EXPORT_NAME ${layer})
  list(APPEND libraries signet_${layer})
endforeach()
set_target_properties(signet_settings PROPERTIES EXPORT_NAME settings)
# Not libllhttp.a, which is a package's own.
get_target_property(llhttp_type llhttp TYPE)
if(llhttp_type STREQUAL "STATIC_LIBRARY")
  set_target_properties(llhttp PROPERTIES OUTPUT_NAME signet_llhttp)
endif()

install(TARGETS signet signet_settings llhttp ${libraries} EXPORT signet ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(folder base crypto tls http server)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/signet
          FILES_MATCHING PATTERN "*.hpp" PATTERN "generated" EXCLUDE)
endforeach()
file(GLOB faces CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.hpp)
install(FILES ${faces} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/signet)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/signet)
install(EXPORT signet NAMESPACE signet:: FILE signet-targets.cmake DESTINATION ${package_folder})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/signet-config.cmake.in ${PROJECT_BINARY_DIR}/signet-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/signet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/signet-config.cmake ${PROJECT_BINARY_DIR}/signet-config-version.cmake
        DESTINATION ${package_folder})
