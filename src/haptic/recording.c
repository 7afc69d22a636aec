/* SPDX-License-Identifier: MIT */
/* A recorded trajectory as a device: cubic Hermite through the poses, slopes by the differences of the neighbours. */
#include "../base/error.h"
#include "haptic_record.h"

enum { COMPONENTS = 7 };

wit_status wit_recording_check(const wit_recording* r, wit_error* e)
{
    if (!r || !r->times || !r->poses)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "", "times and poses must not be null");
    if (r->count < 2)
        return wi_error_fill(e, WIT_ERROR_COUNT, "count", "is %d; two poses or more are needed", r->count);
    for (int i = 0; i < r->count; ++i) {
        if (!isfinite(r->times[i]) || (i && !(r->times[i] > r->times[i - 1])))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "times", i, -1, "must be finite and later than the one before");
        wit_status status = wit_pose_check(&r->poses[i]);
        if (status)
            return wi_error_fill_at(e, status, "poses", i, -1, "must be finite, its rotation of length 1 within 1e-6");
    }
    return WIT_OK;
}

/* Pose i as seven numbers, the quaternion on the side of `near`. */
static void take(const wit_recording* r, int i, const double* near, double out[COMPONENTS])
{
    const wit_pose* p = &r->poses[i];
    double dot =
        near ? near[3] * p->rotation.w + near[4] * p->rotation.x + near[5] * p->rotation.y + near[6] * p->rotation.z
             : 1;
    double s = dot < 0 ? -1 : 1;
    out[0] = p->position.x;
    out[1] = p->position.y;
    out[2] = p->position.z;
    out[3] = s * p->rotation.w;
    out[4] = s * p->rotation.x;
    out[5] = s * p->rotation.y;
    out[6] = s * p->rotation.z;
}

/* Slope at pose i: of the parabola through its neighbours (weights by the lengths of the spans), so that it depends on no span
 * alone; at the ends zero, or around the corner where it loops. */
static void slope(const wit_recording* r, int i, const double at[COMPONENTS], double out[COMPONENTS])
{
    int last = r->count - 1, before = i - 1, after = i + 1;
    if (r->loop) {
        if (i == 0) before = last - 1;
        if (i == last) after = 1;
    }
    for (int k = 0; k < COMPONENTS; ++k) out[k] = 0;
    if (before < 0 || after > last) return;
    double a[COMPONENTS], b[COMPONENTS];
    take(r, before, at, a);
    take(r, after, at, b);
    double ha = r->times[i == 0 ? last : i] - r->times[before], hb = r->times[after] - r->times[i == last ? 0 : i];
    for (int k = 0; k < COMPONENTS; ++k) out[k] = (hb * (at[k] - a[k]) / ha + ha * (b[k] - at[k]) / hb) / (ha + hb);
}

static int span_of(const wit_recording* r, double t)
{
    int lo = 0, hi = r->count - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        *(r->times[mid] <= t ? &lo : &hi) = mid;
    }
    return lo;
}

wit_status wit_recording_at(const wit_recording* r, double time, wit_motion* out)
{
    if (!r || !out || !r->times || !r->poses || r->count < 2) return WIT_ERROR_ARGUMENT;
    if (!isfinite(time)) return WIT_ERROR_NUMBER;
    double first = r->times[0], length = r->times[r->count - 1] - first, t = time;
    if (r->loop) t = first + ((time - first) - length * floor((time - first) / length));
    bool held = t < first || t > first + length;
    t = fmin(fmax(t, first), first + length);
    int i = span_of(r, t);
    double p0[COMPONENTS], p1[COMPONENTS], m0[COMPONENTS], m1[COMPONENTS], y[COMPONENTS], dy[COMPONENTS];
    take(r, i, NULL, p0);
    take(r, i + 1, p0, p1);
    slope(r, i, p0, m0);
    slope(r, i + 1, p1, m1);
    double h = r->times[i + 1] - r->times[i], s = (t - r->times[i]) / h;
    for (int k = 0; k < COMPONENTS; ++k) {
        double d = p1[k] - p0[k], a = h * m0[k], b = h * m1[k], c2 = 3 * d - 2 * a - b, c3 = a + b - 2 * d;
        y[k] = p0[k] + s * (a + s * (c2 + s * c3));
        dy[k] = held ? 0 : (a + s * (2 * c2 + 3 * s * c3)) / h;
    }
    double norm = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6]);
    if (!(norm > 0)) return WIT_ERROR_RANGE;
    /* The rotation is Q / |Q|; its angular velocity 2 Q' conj(Q) / |Q|^2, vector part. */
    double w = y[3] / norm, dw = dy[3] / norm;
    wit_vec3 v = scale3(1 / norm, vec3(y[4], y[5], y[6])), dv = scale3(1 / norm, vec3(dy[4], dy[5], dy[6]));
    out->pose = (wit_pose){vec3(y[0], y[1], y[2]), {w, v.x, v.y, v.z}};
    out->twist.velocity = vec3(dy[0], dy[1], dy[2]);
    out->twist.angular = scale3(2, sub3(addscaled3(scale3(w, dv), -dw, v), cross3(dv, v)));
    out->twist_known = true;
    return WIT_OK;
}

static wit_status play(void* user, double time, wit_motion* out)
{
    return wit_recording_at(user, time, out);
}

wit_device wit_recording_device(const wit_recording* recording)
{
    wit_device d = {play, NULL, (void*)recording};
    return d;
}
