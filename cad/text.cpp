// SPDX-License-Identifier: MIT
#include "text.h"

#include <charconv>
#include <cstdio>

#include <gp_Quaternion.hxx>

namespace cad
{

std::string number(double x)
{
    // Whatever the locale: the shortest text that reads back to the same bits.
    char digits[40];
    auto end = std::to_chars(digits, digits + sizeof digits, x);
    return std::string(digits, end.ptr);
}

std::string count_of(long n, const std::string& noun)
{
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string vector_text(double x, double y, double z)
{
    return "[" + number(x) + ", " + number(y) + ", " + number(z) + "]";
}

std::string range_text(double lo, double hi)
{
    return "[" + number(lo) + ", " + number(hi) + "]";
}

// Length of the UTF-8 sequence at s[i], 0 where there is none.
static size_t utf8_length(const std::string& s, size_t i)
{
    auto byte = [&](size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
    unsigned c = byte(i);
    if (c < 0x80) return 1;
    size_t n = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4) return 0;
    for (size_t k = 1; k < n; ++k)
        if ((byte(i + k) & 0xc0) != 0x80) return 0;
    unsigned second = byte(i + 1);
    bool over = (c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) || (c == 0xf0 && second < 0x90) ||
                (c == 0xf4 && second > 0x8f);
    return over ? 0 : n;
}

std::string wi_json_string(const std::string& s)
{
    std::string r = "\"";
    for (size_t i = 0; i < s.size();) {
        unsigned char c = static_cast<unsigned char>(s[i]);
        size_t n = utf8_length(s, i);
        if (c == '"' || c == '\\') {
            r += '\\';
            r += s[i];
        } else if (c == '\n') {
            r += "\\n";
        } else if (c < 0x20 || c == 0x7f || n == 0) {
            r += c < 0x20 ? ' ' : '?'; // the format has no control characters
        } else {
            r.append(s, i, n);
        }
        i += n ? n : 1;
    }
    return r + "\"";
}

std::string frame_text(const gp_Pnt& o, const gp_Dir& x, const gp_Dir& z)
{
    return "\"frame\": {\"origin\": " + vector_text(o.X(), o.Y(), o.Z()) +
           ", \"x\": " + vector_text(x.X(), x.Y(), x.Z()) + ", \"z\": " + vector_text(z.X(), z.Y(), z.Z()) + "}";
}

std::string frame_text(const gp_Ax2& a)
{
    return frame_text(a.Location(), a.XDirection(), a.Direction());
}

std::string frame_text(const gp_Ax3& a)
{
    return frame_text(a.Location(), a.XDirection(), a.Direction());
}

wit_pose pose_of(const gp_Trsf& t)
{
    gp_XYZ p = t.TranslationPart();
    gp_Quaternion q = t.GetRotation();
    q.Normalize();
    wit_pose pose{};
    pose.position = {p.X(), p.Y(), p.Z()};
    pose.rotation = {q.W(), q.X(), q.Y(), q.Z()};
    return pose;
}

std::string pose_text(const gp_Trsf& t)
{
    wit_pose a = pose_of(t);
    const wit_vec3& p = a.position;
    const wit_quat& q = a.rotation;
    if (p.x == 0 && p.y == 0 && p.z == 0 && q.x == 0 && q.y == 0 && q.z == 0) return "";
    return "{\"position\": " + vector_text(p.x, p.y, p.z) + ", \"rotation\": [" + number(q.w) + ", " + number(q.x) +
           ", " + number(q.y) + ", " + number(q.z) + "]}";
}

} // namespace cad
