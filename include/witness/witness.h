/* SPDX-License-Identifier: MIT */
/*
 * witness/witness.h: all of the core library. Exact, certified closest points of curved bodies.
 *
 *   base.h   status, error, allocator, vectors, poses
 *   geom.h   curves and surfaces: jets, differential geometry, bounds
 *   body.h   bodies: faces, edges and vertices, trims, checks
 *   query.h  the closest pair with its proof, every local minimum
 *   sweep.h  between two moments: first touch, least distance, or the proof that nothing comes near
 *   track.h  the closest pair of moving bodies, followed step by step; Psi, M and b
 *   batch.h  many of these questions in one call: n points, n poses, n trackers
 *   laws.h   the papers' control laws, integrators and gains for a tracker; laws of your own
 *   haptic.h bodies that move by forces: contact, coupler, proxy, dynamics
 *   assembly.h many bodies over a time: who comes near whom, when, how near, and the proof
 *
 * Reading and writing files is a library of its own: witness/io.h.
 */
#ifndef WITNESS_WITNESS_H
#define WITNESS_WITNESS_H

#include "base.h"
#include "geom.h"
#include "body.h"
#include "query.h"
#include "sweep.h"
#include "track.h"
#include "batch.h"
#include "laws.h"
#include "haptic.h"
#include "assembly.h"

#endif
