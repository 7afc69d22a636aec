/* SPDX-License-Identifier: MIT */
#ifndef BENCH_PEER_OCCT_HPP
#define BENCH_PEER_OCCT_HPP

#include <Geom_BSplineSurface.hxx>

#include "../include/witness/geom.h"

/* The same surface in Open CASCADE. */
Handle(Geom_BSplineSurface) occt_surface(const wit_surface_def* def);

#endif
