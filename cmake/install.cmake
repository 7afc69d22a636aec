# SPDX-License-Identifier: MIT
# Libraries, headers, the command, the CMake package and the pkg-config files.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/witness)
set(libraries witness)
if(WITNESS_IO)
    list(APPEND libraries witness_io)
endif()

install(TARGETS ${libraries} EXPORT witnessTargets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(WITNESS_CLI)
    install(TARGETS witness_command)
endif()
install(EXPORT witnessTargets NAMESPACE witness:: DESTINATION ${package_dir})
# A component of its own: who does not ask for it needs no Open CASCADE.
if(WITNESS_HAS_CAD)
    install(TARGETS witness_cad EXPORT witnessCadTargets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT witnessCadTargets NAMESPACE witness:: DESTINATION ${package_dir})
    if(WITNESS_CLI)
        install(TARGETS witness_cad_module DESTINATION ${CMAKE_INSTALL_LIBDIR}/witness)
    endif()
    list(APPEND libraries witness_cad)
endif()

# What the rules above install, and nothing else: `make install` builds it first.
add_custom_target(witness_installed DEPENDS ${libraries})
if(WITNESS_CLI)
    add_dependencies(witness_installed witness_command)
endif()

configure_package_config_file(cmake/witnessConfig.cmake.in ${PROJECT_BINARY_DIR}/witnessConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may break the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/witnessConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/witnessConfig.cmake ${PROJECT_BINARY_DIR}/witnessConfigVersion.cmake
        DESTINATION ${package_dir})

# The .pc files find the prefix from their own place, so the installed tree may be moved. Absolute
# install directories are kept as they are.
foreach(dir LIB INCLUDE)
    string(TOLOWER ${dir} name)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${dir}DIR})
        set(pc_${name}dir ${CMAKE_INSTALL_${dir}DIR})
    else()
        set(pc_${name}dir "\${prefix}/${CMAKE_INSTALL_${dir}DIR}")
    endif()
endforeach()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
# A static library brings its own needs along; a shared one has them recorded.
if(BUILD_SHARED_LIBS)
    set(pc_libs "")
    set(pc_libs_private " -lm")
else()
    set(pc_libs " -lm")
    set(pc_libs_private "")
endif()
string(REGEX REPLACE "[^;]*/lib([^/;]*)\\.(so|a|dylib)" "\\1" pc_occt "${WITNESS_OCCT_LIBRARIES}")
list(TRANSFORM pc_occt PREPEND " -l")
string(JOIN "" pc_occt ${pc_occt} " -lstdc++")
if(BUILD_SHARED_LIBS)
    set(pc_cad_libs "")
    set(pc_cad_libs_private "${pc_occt}")
else()
    set(pc_cad_libs "${pc_occt}")
    set(pc_cad_libs_private "")
endif()
foreach(library IN LISTS libraries)
    configure_file(cmake/${library}.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# What `witness lab` and `witness demo` read, and models and scenes to start from.
# The page of reports, where `make page` has made it.
install(FILES ${PROJECT_BINARY_DIR}/page.html ${PROJECT_BINARY_DIR}/step.js DESTINATION ${CMAKE_INSTALL_DATADIR}/witness
        OPTIONAL)
install(DIRECTORY models scenes assemblies DESTINATION ${CMAKE_INSTALL_DATADIR}/witness FILES_MATCHING PATTERN "*.json")

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "model.schema.json"
        PATTERN "assembly.schema.json" PATTERN "clearance.schema.json")
install(FILES ${PROJECT_BINARY_DIR}/scene.schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
