/* SPDX-License-Identifier: MIT */
/*
 * Between two motions: places by the cubic of both ends' places and velocities; rotations as exp(t(s)) R0 with the cubic t of
 * both ends' turns and turn rates. With the left Jacobian J of the rotation vector the angular velocity is
 *     o = J(t) t',   J(t) v = v + a t x v + b t x (t x v),   a = (1 - cos q) / q^2, b = (q - sin q) / q^3, q = |t|,
 *     J^-1(t) v = v - t x v / 2 + c t x (t x v),             c = 1 / q^2 - (1 + cos q) / (2 q sin q).
 * The twist is that of the path, so that what goes in by a moving body is what its springs get.
 */
#include "haptic_record.h"

/* a, b, c by their series below half a radian: the next terms are below 1e-16 there. */
static void jacobian(wit_vec3 t, double* a, double* b, double* c)
{
    double z = dot3(t, t), q = sqrt(z), sine, cosine;
    if (q < 0.5) {
        double ta = 0.5, tb = 1.0 / 6;
        *a = *b = 0;
        for (int n = 1; n < 9; ++n) {
            *a += ta;
            *b += tb;
            ta *= -z / ((2 * n + 1) * (2 * n + 2));
            tb *= -z / ((2 * n + 2) * (2 * n + 3));
        }
        /* |B_2n| / (2n)! */
        static const double series[] = {1.0 / 12,
                                        1.0 / 720,
                                        1.0 / 30240,
                                        1.0 / 1209600,
                                        1.0 / 47900160,
                                        691.0 / 1307674368000.0,
                                        1.0 / 74724249600.0,
                                        3617.0 / 10670622842880000.0};
        *c = 0;
        for (int n = 7; n >= 0; --n) *c = *c * z + series[n];
        return;
    }
    wit_sincos(q, &sine, &cosine);
    *a = (1 - cosine) / z;
    *b = (q - sine) / (z * q);
    *c = (1 - sine * q / (2 * (1 - cosine))) / z;
}

static wit_vec3 jacobian_times(double first, double second, wit_vec3 t, wit_vec3 v)
{
    wit_vec3 bent = cross3(t, v);
    return addscaled3(addscaled3(v, first, bent), second, cross3(t, bent));
}

/* Cubic with the ends 0 and d and the slopes m0 and m1, at s; its slope. */
static wit_vec3 cubic(wit_vec3 d, wit_vec3 m0, wit_vec3 m1, double s, wit_vec3* slope)
{
    wit_vec3 c3 = addscaled3(add3(m0, m1), -2, d), c2 = sub3(scale3(3, d), addscaled3(m1, 2, m0));
    *slope = addscaled3(addscaled3(m0, 2 * s, c2), 3 * s * s, c3);
    return scale3(s, addscaled3(addscaled3(m0, s, c2), s * s, c3));
}

wit_motion wi_motion_between(const wit_motion* from, const wit_motion* to, double share, double h)
{
    if (share >= 1) return *to;
    double a, b, c;
    wit_motion m = *from;
    wit_vec3 slope, way = sub3(to->pose.position, from->pose.position);
    wit_vec3 part = cubic(way, scale3(h, from->twist.velocity), scale3(h, to->twist.velocity), share, &slope);
    m.pose.position = add3(from->pose.position, part);
    m.twist.velocity = scale3(1 / h, slope);
    wit_vec3 turn = wi_rigid_turn_between(from->pose.rotation, to->pose.rotation);
    jacobian(turn, &a, &b, &c);
    wit_vec3 last = scale3(h, jacobian_times(-0.5, c, turn, to->twist.angular));
    wit_vec3 t = cubic(turn, scale3(h, from->twist.angular), last, share, &slope);
    m.pose.rotation = wi_rigid_turned(from->pose.rotation, t);
    jacobian(t, &a, &b, &c);
    m.twist.angular = scale3(1 / h, jacobian_times(a, b, t, slope));
    m.twist_known = true;
    return m;
}
