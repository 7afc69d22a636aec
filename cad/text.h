// SPDX-License-Identifier: MIT
// Pieces of the model's text: numbers that read back to the same bits, strings, vectors, frames.
#ifndef CAD_TEXT_H
#define CAD_TEXT_H

#include <string>

#include <gp_Ax2.hxx>
#include <gp_Ax3.hxx>
#include <gp_Trsf.hxx>

#include "../include/witness/base.h"

namespace cad
{
std::string number(double x);
// "1 face", "2 faces"
std::string count_of(long n, const std::string& noun);
std::string vector_text(double x, double y, double z);
std::string range_text(double lo, double hi);
// In quotes; what is not UTF-8 becomes '?'.
std::string wi_json_string(const std::string& s);
// "frame": {...}
std::string frame_text(const gp_Pnt& o, const gp_Dir& x, const gp_Dir& z);
std::string frame_text(const gp_Ax2& a);
std::string frame_text(const gp_Ax3& a);
wit_pose pose_of(const gp_Trsf& t);
// {"position": ..., "rotation": ...} of a rigid transformation; empty for the identity.
std::string pose_text(const gp_Trsf& t);
} // namespace cad

#endif
