/* SPDX-License-Identifier: MIT */
/*
 * What a look said, for where b has gone since: entries end by the way that the farthest point of b may have gone, and mostly the
 * piece of b that they speak of has not gone so far, or not towards a.
 *
 * Let c be the middle of a ball of radius r that holds the piece, c' - c how it has moved since the look, theta the angle by which b has turned
 * at most. A point x of the piece has moved by c' - c + (Q - 1)(x - c), and |(Q - 1)(x - c)| <= r theta. So
 *   planes  across the unit n from b to a, `bound` apart then, are bound - n.(c' - c) - r theta apart now;
 *   others  no place has moved by more than |c' - c| + r theta: that is taken off;
 *   slopes  hold while no point of the piece has moved by more than their life, and none of its directions has turned by more than
 *           life / lever.
 */
#include "pair_record.h"

#define GROWN 2.0 /* sizes of the whole: a part that lasts for longer is looked at, perhaps the whole does */
#define SOON 4.0  /* steps as long as this one: what ends sooner is watched */
#define LATER 12.0
enum { DATES_OF_UNIT = 16, PATIENCE = 30 }; /* a look costs about as much as being watched for so many steps */

static double size_of(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

void wi_pair_date_begin(front_pair* p, const cell* b)
{
    wit_vec3 middle = b->inner ? b->centre : b->jet.p;
    p->own[0] = (float)middle.x, p->own[1] = (float)middle.y, p->own[2] = (float)middle.z;
    /* FLT_EPSILON: what the middle and the radius lose as floats */
    p->radius = (float)((b->radius + FLT_EPSILON * size_of(middle)) * (1 + 2 * FLT_EPSILON));
    p->bound = p->life = -INFINITY;
    p->lever = 0;
}

static wit_vec3 middle_now(const pair_run* r, const front_pair* p)
{
    return side_point(r->ask->side[1], vec3((double)p->own[0], (double)p->own[1], (double)p->own[2]));
}

void wi_pair_date(const pair_run* r, front_pair* p, const pair_look* l, double life)
{
    p->at = middle_now(r, p);
    p->turned = r->f->angle;
    p->bound = l->bound;
    p->life = life;
    p->steps = 0;
    p->along[0] = (float)l->across.x, p->along[1] = (float)l->across.y, p->along[2] = (float)l->across.z;
    p->lever = (float)(larger(l->lever, (double)p->radius) * (1 + FLT_EPSILON));
}

/* How the ball has gone, and by which angle it has turned. */
typedef struct drifted {
    wit_vec3 shift;
    double angle;
} drifted;

static inline drifted drift_of(const pair_run* r, const front_pair* p)
{
    return (drifted){sub3(middle_now(r, p), p->at), r->f->angle - p->turned};
}

static inline double length_of(const pair_run* r, const drifted* d)
{
    return norm3(d->shift) * (1 + 4 * DBL_EPSILON) + r->noise;
}

/* No pair of places is nearer now. */
static inline double bound_left(const pair_run* r, const front_pair* p, const drifted* d)
{
    wit_vec3 n = vec3((double)p->along[0], (double)p->along[1], (double)p->along[2]);
    bool planes = n.x != 0 || n.y != 0 || n.z != 0;
    /* n is unit but for its three roundings as floats */
    double nearer = planes ? dot3(n, d->shift) + FLT_EPSILON * size_of(d->shift) + r->noise : length_of(r, d);
    double turned = (double)p->radius * d->angle;
    return p->bound - nearer - turned - 8 * DBL_EPSILON * (fabs(nearer) + turned);
}

/* For how long none is closest, from now. */
static inline double slope_left(const pair_run* r, const front_pair* p, const drifted* d)
{
    double length = length_of(r, d), turned = (double)p->radius * d->angle, lever = (double)p->lever * d->angle;
    return p->life - larger(length + turned, lever) * (1 + 8 * DBL_EPSILON);
}

/* It is watched: what it bounds counts in the answer. */
static void count_watched(pair_run* r, const front_pair* p, double far, double slope)
{
    double bound = far + r->limit;
    if (!(far > slope)) return;
    r->least = smaller(r->least, bound);
    if (bound < pair_near_bar(r)) pair_near_add(r, p, bound, &r->near);
}

static void hang_again(pair_run* r, int32_t i, double far, double slope)
{
    pair_front* f = r->f;
    front_pair* p = &front_pairs(f)[i];
    double key = larger(p->key, far + r->limit + f->way);
    front_heap heap = slope > far ? pair_slope_heap(f) : pair_far_heap(f);
    bool soon = larger(far, slope) < SOON * r->step;
    if (!soon && p->state == (slope > far ? PAIR_SLOPE : PAIR_FAR)) {
        p->key = key;
        p->end = f->way + slope;
        front_heap_delay(&heap, slope > far ? p->end : key, i);
        return;
    }
    wi_pair_take(f, i);
    if (soon) {
        wi_pair_watch(f, i, key);
        count_watched(r, p, far, slope);
    } else if (slope > far)
        wi_pair_hang_slope(f, i, key, f->way + slope);
    else
        wi_pair_hang_far(f, i, key);
}

bool wi_pair_renew(pair_run* r, int32_t i)
{
    front_pair* p = &front_pairs(r->f)[i];
    if (!(p->bound > -INFINITY) || p->convex) return false;
    if (++r->dates % DATES_OF_UNIT == 0) side_boxes(r->ask->side[0], 1);
    drifted d = drift_of(r, p);
    double far = bound_left(r, p, &d) - r->limit, slope = p->life > 0 ? slope_left(r, p, &d) : 0;
    double left = larger(far, slope);
    if (!(left > 0)) return false;
    if (p->parent >= 0 && left > GROWN * front_pairs(r->f)[p->parent].size) return false;
    hang_again(r, i, far, slope);
    return true;
}

bool wi_pair_still_convex(const pair_run* r, front_pair* p)
{
    if (r->f->way <= p->end) return true;
    drifted d = drift_of(r, p);
    double left = slope_left(r, p, &d);
    if (!(left > 0)) return false;
    p->end = r->f->way + left;
    return true;
}

/*
 * Those that end soon if b goes on as fast as now, but perhaps do not, are asked in every step. What has ended hangs by its
 * key, to be looked at; what lasts for long hangs by that.
 */
void wi_pair_watch_all(pair_run* r)
{
    pair_front* f = r->f;
    int32_t* list = pair_watched(f);
    for (int32_t k = f->watched_count - 1; k >= 0; --k) {
        int32_t i = list[k];
        front_pair* p = &front_pairs(f)[i];
        drifted d = drift_of(r, p);
        double bound = bound_left(r, p, &d), far = bound - r->limit, slope = 0;
        if (!(far > 0) && p->life > 0) slope = slope_left(r, p, &d);
        double left = larger(far, slope);
        if (!(left > 0) || ++p->steps > PATIENCE) {
            p->bound = -INFINITY;
            wi_pair_take(f, i);
            wi_pair_hang_far(f, i, larger(p->key, bound + f->way));
        } else if (left > LATER * r->step) {
            hang_again(r, i, far, slope);
        } else {
            count_watched(r, p, far, slope);
        }
    }
    r->dates += f->watched_count;
    side_boxes(r->ask->side[0], f->watched_count / DATES_OF_UNIT);
}
