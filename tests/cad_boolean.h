/* SPDX-License-Identifier: MIT */
/*
 * Booleans of two ready-made solids at random places, made by Open CASCADE, with a truth that is not Open CASCADE's: whether
 * a point is inside follows from the closed forms of the two solids. Lengths are millimetres until a file is written.
 */
#ifndef TESTS_CAD_BOOLEAN_H
#define TESTS_CAD_BOOLEAN_H

#include <string>

#include <TopoDS_Shape.hxx>
#include <gp_Trsf.hxx>

#include "../include/witness/cad.h"

namespace boolean
{

enum class Primitive { box, sphere, cylinder, cone, torus };
enum class Operation { fuse, cut, common };

struct Solid {
    Primitive kind = Primitive::box;
    double size[3] = {
        0, 0, 0}; // box: sides; sphere: radius; cylinder: radius, height; cone: two radii, height; torus: two radii
    gp_Trsf place;

    TopoDS_Shape shape() const;
    // Signed distance of a point of the world, negative inside; exact but for the inside of boxes, cylinders and cones near
    // their edges, where its sign is exact.
    double distance(const gp_Pnt& world) const;
    std::string text() const;
};

// One case. Number k is the same on every machine.
struct Case {
    long number = 0;
    Operation operation = Operation::fuse;
    Solid a, b;
    TopoDS_Shape shape; // as Open CASCADE made it; null if it made nothing
    int solids = 0, faces = 0;
    double volume = 0, area = 0, size = 0, tolerance = 0;
    gp_Pnt lo, hi; // of its box

    explicit Case(long k);
    // Open CASCADE made something that it calls valid, and its volume agrees with that of the solids' parts.
    bool usable() const;
    bool holds(const gp_Pnt& p) const;    // inside, by the closed forms
    double margin(const gp_Pnt& p) const; // least distance to a surface of either solid
    std::string text() const;
};

// Units of files: "MM", "M", "UM", "INCH". A BREP file has no unit: its numbers are in it.
struct Unit {
    const char* name;
    wit_unit unit;
    double mm;
};
extern const Unit UNITS[4];

bool write(const TopoDS_Shape& shape, wit_cad_format format, const Unit& unit, const std::string& path);

} // namespace boolean

#endif
