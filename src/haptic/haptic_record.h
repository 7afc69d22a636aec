/* SPDX-License-Identifier: MIT */
/* The record behind wit_haptic, and what the rooms of this layer share. */
#ifndef HAPTIC_HAPTIC_RECORD_H
#define HAPTIC_HAPTIC_RECORD_H

#include "../../include/witness/haptic.h"
#include "../base/vec.h"
#include "../base/work.h"

/* State of a dynamic body in the one vector of RK2 and RK4: centre, rotation vector from the start of the step, velocity,
 * angular momentum. */
enum { BODY_STATE = 12, RK_VECTORS = 6 };

enum { WORLD_CONTACTS = 16 }; /* of a pair, at most */

typedef struct world_body {
    wit_haptic_body_def def;
    double inverse[9];       /* of the inertia, body axes; zero for a point */
    double principal[3];     /* moments */
    wit_vec3 axes[3];        /* their axes in the body */
    wit_vec3 c, v, momentum; /* DYNAMIC: centre of mass, its velocity, angular momentum about it, world axes */
    wit_quat q;
    wit_vec3 old_c, old_v, old_momentum; /* at the start of the step */
    wit_quat old_q;
    wit_vec3 kept_v, kept_momentum;
    wit_quat base;         /* RK2, RK4: rotation that the turn of the state starts from */
    wit_motion motion;     /* of the body's frame, now */
    wit_motion from, next; /* MOVED, PROXY: at the start and at the end of the step */
    bool given;            /* `next` was given for this step */
    double J[6 * WIT_MAX_FREEDOM];
    wit_vec3 slow, slow_spin; /* velocities that its own damping was computed from */
    wit_vec3 force, torque;   /* on it; DYNAMIC: about the centre of mass, else about the origin */
} world_body;

/* One point at which a pair touches or is near to; `id` tells it again in the next step. */
typedef struct world_contact {
    int64_t id, group;
    double distance;        /* signed */
    wit_vec3 normal, point; /* from a to b; where the force acts */
    bool sure;              /* solved in this step; else the last one, moved along */
    bool joined;            /* new in this step, in a group that was there */
    /* PENALTY: the spring presses by k x, x = depth - offset where that is positive. */
    double stiffness; /* its share of the pair's */
    double offset;    /* of the depth: what no motion has paid for */
    wit_vec3 bristle; /* friction: how far b has gone against a since it stuck, less what slipped */
    double bristle_stiffness;
    double bristle_energy;
    double bristle_swing;        /* its energy as the step keeps it */
    double spring, press, lossy; /* forces along the normal: of the spring; whole; the difference */
    wit_vec3 rub;                /* friction on b */
    wit_vec3 came;               /* velocity of b against a when the forces were computed */
    double impulse;              /* IMPULSE: along the normal, of this step */
    wit_vec3 rubbed;             /* IMPULSE: of friction */
    double aim;                  /* IMPULSE: the normal speed wanted */
    bool solved;                 /* IMPULSE: it takes part */
    bool slides;                 /* friction is at its limit */
} world_contact;

/* Which branch of the penalty acts. LOOSE: still in, but damping would pull. */
typedef enum contact_mode { CONTACT_FREE, CONTACT_APART, CONTACT_PRESSED, CONTACT_LOOSE } contact_mode;

typedef struct world_pair {
    int a, b;
    wit_response response;
    bool proxy; /* b is the god-object: the trackers follow the device */
    size_t tracker_at, local_at;
    size_t events_at; /* hand-overs, a ring of track.transitions */
    int64_t event_count;
    wit_haptic_pair now;
    contact_mode
        mode; /* fixed while stages of RK2, RK4 are taken, so that f is smooth over them; else FREE: as it is */
    /* RK2, RK4: the tracker and `now` at the start of a piece of a step */
    size_t copy_at, tracker_bytes;
    wit_haptic_pair before;
    /* RK2, RK4: the places that are integrated */
    wit_moving_place place[2];
    double x[WIT_MAX_PARAMETERS];
    int count, count_a;
    wit_vec3 point_a, point_b; /* witnesses */
    /* proxy: in contact, and where it was on the body */
    bool inside;
    double share; /* part of the way from the device to the proxy that is this pair's */
    /* where it touches; the list before is that of the last step */
    size_t contacts_at, before_at;
    int contact_count, contact_capacity;
    int side;                 /* a two-sided sheet: on which the other came, 0: not known */
    bool overlapped;          /* a body and a two-sided sheet, in the last step */
    bool listed;              /* the tracker keeps all contacts; else there is one, its pair */
    bool known;               /* there is a step before */
    double room;              /* what the springs leave of the 4 that a step carries: wi_haptic_room */
    double hold;              /* friction: stiffness of bristles over that of the springs */
    double hold_damping;      /* the same of their damping, over that stiffness: seconds */
    double tank, peak, grain; /* energies: see contact_account.c */
} world_pair;

typedef struct world_system {
    wit_system def;
    double q[WIT_MAX_FREEDOM], speed[WIT_MAX_FREEDOM];
    double M[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM], factor[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM];
    double old_q[WIT_MAX_FREEDOM], old_speed[WIT_MAX_FREEDOM]; /* at the start of the step */
    double accel[WIT_MAX_FREEDOM], kept_speed[WIT_MAX_FREEDOM];
} world_system;

struct wit_haptic {
    wit_haptic_def def; /* its lists are not used after init */
    wit_allocator allocator;
    size_t bytes; /* 0: in the caller's memory */
    size_t bodies_at, pairs_at, vectors_at;
    int state_count;
    bool has_system, started, lost;
    int lost_body, lost_pair; /* who was lost first; -1: none */
    int plain_steps;          /* RK2, RK4: so many default steps in place of one are stable; 0: none */
    bool plainly;             /* RK2, RK4: this step is the default one */
    double time, last_step;
    world_system system;
    wit_motion device, device_from, device_next; /* the path that is given: of the device, or of what the hand wants */
    bool placed;                                 /* device_next is where it starts */
    /* a hand that is part of the state */
    bool has_human;
    wit_human human;
    wit_motion want, old_device;
    wit_quat device_base;
    wit_vec3 device_accel, device_spin;
    double hand_energy, hand_loss;
    wit_vec3 force, torque;          /* of the coupler on the tool */
    wit_vec3 damper, angular_damper; /* its part by speed */
    wit_vec3 spring, angular_spring; /* its part by place */
    /* god-object */
    wit_vec3 proxy; /* as felt: within the limit of its speed */
    bool proxy_held;
    int proxy_pair;     /* the deepest */
    wit_vec3 proxy_on;  /* its place on that pair's body a, body axes */
    double proxy_power; /* that the device and the bodies put into it */
    bool limited;       /* in this step, a force or a speed */
    double dissipated, supplied;
    bool settling;                    /* the first step is not done */
    double first_energy, most_energy; /* energy_bound.c: at the start; the largest in motion and springs */
    double joint_gain, joint_peak;    /* RK2, RK4: energy gained since the start, the largest that moved */
    double dissipation, supply;       /* their rates at the last evaluation */
    double coupler_energy, contact_energy;
    double bristle_energy; /* part of contact_energy: of friction */
    int64_t stage_units;
};

static inline world_body* world_bodies(const wit_haptic* w)
{
    return (world_body*)((char*)w + w->bodies_at);
}

static inline world_pair* world_pairs(const wit_haptic* w)
{
    return (world_pair*)((char*)w + w->pairs_at);
}

static inline wit_tracker* pair_tracker(const wit_haptic* w, const world_pair* p)
{
    return (wit_tracker*)((char*)w + p->tracker_at);
}

static inline wit_tracker* pair_local(const wit_haptic* w, const world_pair* p)
{
    return (wit_tracker*)((char*)w + p->local_at);
}

static inline world_contact* pair_contacts(const wit_haptic* w, const world_pair* p)
{
    return (world_contact*)((char*)w + p->contacts_at);
}

static inline world_contact* pair_before(const wit_haptic* w, const world_pair* p)
{
    return (world_contact*)((char*)w + p->before_at);
}

static inline bool world_is_joint(const wit_haptic_def* def)
{
    return def->integrator != WIT_INTEGRATOR_DEFAULT;
}

/* ---- rigid.c: one body */

void wi_rigid_prepare(world_body* b);
/* Motion of the body's frame from the state of its centre. */
void wi_rigid_place(world_body* b);
wit_vec3 wi_rigid_spin(const world_body* b); /* angular velocity */
/* Places after h at the momenta of now. */
void wi_rigid_drift(world_body* b, double h);
/* exp(turn) q: a rotation by the vector `turn`, world axes, after q. */
wit_quat wi_rigid_turned(wit_quat q, wit_vec3 turn);
wit_vec3 wi_rigid_turn_between(wit_quat from, wit_quat to); /* the shorter way */
/* What a freedom leaves of a force or velocity; of a torque or spin. */
wit_vec3 wi_freedom_way(const wit_haptic_body_def* d, wit_vec3 v);
wit_vec3 wi_freedom_turn(const wit_haptic_body_def* d, wit_vec3 v);
bool wi_freedom_slides(const wit_haptic_body_def* d);
bool wi_freedom_turns(const wit_haptic_body_def* d);
/* A force at a world point. */
void wi_body_push(world_body* b, wit_vec3 force, wit_vec3 at);
void wi_body_twist(world_body* b, wit_vec3 torque);
/* Velocity that a unit impulse along `axis` at `at` gives the body there, along `axis`; 0 for what no force moves. */
double wi_body_yield(const wit_haptic* w, const world_body* b, wit_vec3 axis, wit_vec3 at);
void wi_body_kick(wit_haptic* w, world_body* b, wit_vec3 impulse, wit_vec3 at);

/* ---- linkage.c: the system */

bool wi_factor_definite(int n, const double* m, double* l); /* L L^T, n <= WIT_MAX_FREEDOM */
void wi_factor_solve(int n, const double* l, const double* b, double* x);
/* The body on its link: motion of its frame, J of its origin. */
void wi_linkage_body(const wit_system* s, const wit_haptic_body_def* d, const double* q, const double* speed,
                     wit_motion* motion, double* J);
/* Masses and links at q, speed; false: the mass matrix is not positive definite. */
bool wi_linkage_place(wit_haptic* w);
/* Accelerations, after forces on the links are known. */
void wi_linkage_accelerate(wit_haptic* w, double time);
/* The generalised force of a force and a torque about the link's origin. */
void wi_linkage_pull(const wit_haptic* w, const world_body* b, wit_vec3 force, wit_vec3 torque, double* q);

/* ---- contact_list.c, contact_account.c: where a pair touches, from step to step */

/* So many contacts of a pair are kept. */
int wi_contact_capacity(const wit_haptic_def* def, int pair);
/* From the last step of the pair's tracker, h after the one before. */
void wi_contacts_refresh(wit_haptic* w, world_pair* p, double h);
/* The one contact of a pair that is integrated with the rest or was just handed over: as p->now says. */
void wi_contact_single(const wit_haptic* w, world_pair* p);
/* Velocity of b against a at a point of the world. */
wit_vec3 wi_contact_velocity(const wit_haptic* w, const world_pair* p, wit_vec3 at);
/* The springs' energies against what the motion of h has paid for: `before` are the contacts of the last step. */
void wi_account_step(wit_haptic* w, world_pair* p, const world_contact* before, int count, double h);
/* The single contact had the depth `was` and is where it is by a hand-over: nothing has moved. */
void wi_account_jump(wit_haptic* w, world_pair* p, double was);

/* ---- contact_force.c, friction.c, contact_impulse.c */

/* The branch that acts at the single contact of a pair that is integrated with the rest, as it is. */
contact_mode wi_contact_mode(const wit_haptic* w, const world_pair* p);
/* Forces of all pairs by penalty; h > 0: the step that led here, friction sticks. Else a right-hand side: friction is smoothed. */
void wi_contact_forces(wit_haptic* w, double h);
wit_vec3 wi_friction_sticking(const world_pair* p, world_contact* c, wit_vec3 slide, double h);
wit_vec3 wi_friction_smooth(const wit_haptic* w, const world_pair* p, const world_contact* c, wit_vec3 slide);
/* Stiffness and damping of friction's bristles for a pair, from the rate that the def carries. */
typedef struct friction_hold {
    double stiffness, damping;
    double yield; /* of both bodies at the contact, to a force in any direction */
} friction_hold;
friction_hold wi_friction_hold(const wit_haptic_def* def, int pair, double rate);
/* Changes velocities; poses where bodies are to be pushed out. */
void wi_contact_impulses(wit_haptic* w, double h);

/* ---- touched_side.c */

bool wi_sheet_pair(const wit_haptic_def* def, int pair); /* one of the two is a two-sided sheet */
/* Signs the distance and the normal of such a pair by the side on which it was touched; leaves others alone. */
void wi_sheet_side(const wit_haptic* w, world_pair* p, wit_result* r);

/* ---- haptic_events.c */

/* Hand-overs of a step of this tracker, or between trackers: `before` is what the pair was at, null where that does not matter. */
void wi_events_note(wit_haptic* w, world_pair* p, const wit_tracker* tracker, const wit_result* before,
                    wit_result* now);

/* ---- coupling.c, god_object.c */

void wi_coupling_forces(wit_haptic* w);
double wi_coupling_energy(const wit_haptic* w); /* in its springs, at the places as they are */
/* Work of the device on springs that pulled by `spring`, `turn` where it was `from`, h ago, less h times the mean of powers. */
double wi_coupling_work(const wit_haptic* w, wit_vec3 spring, wit_vec3 turn, const wit_motion* from, double h);
/* The proxy of the device's place, and its forces on the bodies. */
void wi_god_object_place(wit_haptic* w, double h);
void wi_god_object_forces(wit_haptic* w);
/* What it took off in a step of h: power into it and energy of its spring were these at the start. */
double wi_god_object_loss(const wit_haptic* w, double power, double energy, double h);

/* ---- hand.c: a hand on the device, as part of the state */

wit_status wi_hand_check(const wit_haptic_def* def, wit_error* error);
/* After the coupler: accelerations of the device, power, energy. */
void wi_hand_forces(wit_haptic* w);

/* ---- motion_between.c */

/* At a share of the way, 0 to 1, that takes h: the cubic with the poses and twists of both ends, and its own twist. */
wit_motion wi_motion_between(const wit_motion* from, const wit_motion* to, double share, double h);

/* ---- forces.c: all of them at the state as it is, and energies */

void wi_world_save(wit_haptic* w);
void wi_world_restore(wit_haptic* w);
/* Speeds alone, within a step. */
void wi_world_keep_speeds(wit_haptic* w);
void wi_world_put_speeds(wit_haptic* w);

void wi_world_forces(wit_haptic* w, double h);
wit_energy wi_world_energy(const wit_haptic* w);
double wi_world_kinetic(const wit_haptic* w);   /* of the speeds as they are */
double wi_world_potential(const wit_haptic* w); /* of gravity, and the system's */
/* Power that dampers and friction take, their forces as they are, at the velocities as they are. */
double wi_world_loss(const wit_haptic* w);
bool wi_world_finite(const wit_haptic* w);
int wi_world_lost_body(const wit_haptic* w); /* the first whose state is not finite; -1: none */

/* ---- energy_bound.c: what a world may gain */

void wi_energy_begin(wit_haptic* w); /* forces at the start are known */
/* After a step of h, its forces known. */
void wi_energy_hold(wit_haptic* w, double h);

static inline void* pair_copy(const wit_haptic* w, const world_pair* p)
{
    return (char*)w + p->copy_at;
}

/* ---- advance.c, joint.c: one step */

/* False: the state has left the numbers, or the coordinates that a tracker takes. */
/* `share` of the moved bodies' way is done at its end. */
bool wi_world_advance(wit_haptic* w, double h, double share);
bool wi_world_joint(wit_haptic* w, double h);
/* All trackers at the motions as they are. */
bool wi_world_look(wit_haptic* w, double h);
/* MOVED bodies and the device at a share of the step of length h. */
void wi_world_moved(wit_haptic* w, double share, double h);
/* joint.c: starts from the places that the trackers found. */
void wi_joint_begin(wit_haptic* w);

/* ---- haptic_check.c */

static inline bool haptic_keeps(const wit_haptic_def* def, int pair)
{
    return def->keeps && def->keeps[pair].a;
}

/* Settings of a pair's tracker: those of the world, or of one that keeps its features. */
wit_track_def wi_haptic_pair_track(const wit_haptic_def* def, int pair);

wit_status wi_haptic_check_def(const wit_haptic_def* def, wit_error* error);
/* How a body yields, at most, to a unit force at its surface: along a normal, which passes the centre within `lever`, or any. */
double wi_haptic_yield(const wit_haptic_def* def, int body, bool any);
/* What the springs and dampers of a body leave of the 4 that the default step carries: 4 - h^2 K - 2 h C. */
double wi_haptic_room(const wit_haptic_def* def, int body, double rate);
wit_status wi_haptic_check_gains(const wit_haptic_def* def, double rate, wit_error* error);

#endif
