/* SPDX-License-Identifier: MIT */
/*
 * witness/haptic.h: bodies that move by forces: contact, a virtual coupler, a proxy, several bodies and linkages,
 * advanced together with the closest pairs between them.
 *
 *     wit_haptic_def def = wit_haptic_default_def();                  // bodies, pairs, response, tool, coupler
 *     wit_haptic* world = wit_haptic_create(&def, NULL, &error);      // refuses gains that the rate does not carry
 *     for (;;) { read the device; wit_haptic_step(world, &device, 0.001, &result); write result.force; }
 *
 * A world holds bodies (fixed, moved by the caller, dynamic, links of a system, or a massless proxy point), the pairs
 * of them that may touch (a tracker each), and at most one tool that a device holds through a spring and damper. Start
 * with wit_haptic_body_def, wit_response and wit_haptic_def; examples/haptic.c is a whole program.
 *
 * Units are the caller's, consistent: with mm, kg and s a force is in mN, a stiffness in mN/mm. Poses, velocities,
 * forces and torques are in world axes unless a field says otherwise; angles in radians.
 *
 * Contact comes from the signed distance d of a pair and its normal n (from a to b), with the force along n:
 *     PENALTY   F = max(0, k (-d) - c d') while d < 0; HUNT_CROSSLEY: k (-d) max(0, 1 - c d'), from zero to zero
 *     IMPULSE   velocities are changed at touch: v_n becomes -e v_n, by sequential impulses over all that touch
 * at every contact of the pair (wit_haptic_points), each with an id by which friction and impulses go on. The stiffness
 * is that of the pair, shared by its points. One contact, the pair's own, have RK2 and RK4, pairs that keep features
 * (wit_haptic_keep), two-sided sheets and points. Friction is Coulomb's and sticks; with RK2 and RK4 it is smoothed.
 *
 * No world that is accepted gains energy beyond a bound: with B = stored + dissipated - supplied (wit_energy), after
 * every step, B is at most what it was after the first one, plus WIT_HAPTIC_GAIN times the largest kinetic + coupler +
 * contact + hand that the steps have given so far. Springs give back no more than was put into them (a ledger of each
 * pair), and what a step gains beyond that, by bodies that turn far in it or places that jump, is taken off all that
 * moves by a drag. Tested on random worlds; it rests on kinetic energy being there to be taken off. Not with
 * allow_unstable.
 *
 * One step of `dt`. The default is semi-implicit: velocities from the forces at the old place, places from the new
 * velocities (rotations by splitting about the principal axes: symplectic, the angular momentum kept to rounding), then
 * every tracker once. It is of order 1 and without energy drift. RK2 and RK4 take a law that is a differential
 * equation: the parameters of the witnesses, the places and the speeds of the bodies are then one state y, y' =
 * f(t, y), and one explicit step advances all of it, a hand on the device too (wit_haptic_def.human). Where a contact
 * begins, ends or lets go, or its witness goes over to another feature, f has a kink or a jump: such a step is cut
 * there, so that the order of the method is kept. The moment is found by halving, to 1e-12 of the step, each time with
 * the stages and one step of every tracker; at most 8 cuts of 42 halvings in a step. What begins and ends within one
 * piece is not seen. Hand-overs are found by a deadbeat tracker that watches.
 *
 * A step never allocates, locks or calls the system. A world lives in one block without pointers into itself: memcpy is
 * a snapshot. Bodies, the callbacks' data and the system must outlive it. One world serves one thread at a time.
 */
#ifndef WITNESS_HAPTIC_H
#define WITNESS_HAPTIC_H

#include "laws.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WIT_MAX_FREEDOM 8        /* of a system */
#define WIT_HAPTIC_MAX_BODIES 64 /* of a world */
#define WIT_HAPTIC_MAX_PAIRS 256 /* likewise */
#define WIT_HAPTIC_GAIN 0.01     /* of the largest energy: what a world may gain, see above */

/* ---- bodies -------------------------------------------------------------------------------- */

/* What moves a body. */
typedef enum wit_drive {
    WIT_DRIVE_FIXED,
    WIT_DRIVE_MOVED,   /* by wit_haptic_move before each step; at rest at the start's pose until then */
    WIT_DRIVE_DYNAMIC, /* by forces */
    WIT_DRIVE_LINK,    /* carried by a link of the system */
    WIT_DRIVE_PROXY,   /* the tool as a god-object: a massless point that stays on the surface while the device is in */
    WIT_DRIVE_COUNT
} wit_drive;

/* "fixed", "moved", "dynamic", "link", "proxy"; "?" otherwise. Static storage. */
WIT_API const char* wit_drive_name(wit_drive drive);

/* How a dynamic body can move, e its `axis`: e and what is across it are kept by forces that do no work. */
typedef enum wit_freedom {
    WIT_FREEDOM_ALL,
    WIT_FREEDOM_TURN,  /* about e through the centre of mass: a wheel on its axle */
    WIT_FREEDOM_SLIDE, /* along e */
    WIT_FREEDOM_PLANE, /* across e, turning about it. So move planar bodies, e the z axis; or TURN, SLIDE in it */
    WIT_FREEDOM_COUNT
} wit_freedom;

/* "all", "turn", "slide", "plane"; "?" otherwise. Static storage. */
WIT_API const char* wit_freedom_name(wit_freedom freedom);

/* A body of a world. */
typedef struct wit_haptic_body_def {
    const wit_body* shape; /* null: a point at the origin */
    wit_drive drive;
    wit_motion start; /* pose; of a dynamic body the twist too, if it is known. LINK: the pose in the link's frame */
    /* DYNAMIC. The inertia is about the centre of mass, row-major, symmetric, positive definite; of a point ignored. */
    double mass;
    double inertia[9]; /* mass times length squared, body axes */
    wit_vec3 centre;   /* of mass, body axes */
    double weight;     /* factor of the world's gravity. Default 1 */
    /* Of the air, say: force per velocity of the centre, torque per angular velocity. */
    double damping, angular_damping;
    /* Largest distance of a contact's normal from the centre of mass, a length, for the check of stability: 0 for a
     * ball. Negative, the default: half the diagonal of the shape's box about the centre, which is always enough. */
    double lever;
    /* DYNAMIC: the freedom, default ALL, and its axis, unit, world axes, default z. To turn, the axis must be a
     * principal one of the inertia. What of the start's twist is not free is left out. */
    wit_freedom freedom;
    wit_vec3 axis;
    int link; /* LINK: which */
} wit_haptic_body_def;

/* Fixed, at the origin; mass 1, inertia that of unity. */
WIT_API wit_haptic_body_def wit_haptic_default_body(void);

/* ---- contact ------------------------------------------------------------------------------- */

/* How a contact answers. */
typedef enum wit_response_kind { WIT_RESPONSE_PENALTY, WIT_RESPONSE_IMPULSE, WIT_RESPONSE_COUNT } wit_response_kind;
typedef enum wit_damping_kind { WIT_DAMPING_LINEAR, WIT_DAMPING_HUNT_CROSSLEY, WIT_DAMPING_COUNT } wit_damping_kind;

WIT_API const char* wit_response_name(wit_response_kind kind); /* "penalty", "impulse" */
WIT_API const char* wit_damping_name(wit_damping_kind kind);   /* "linear", "hunt_crossley" */

/* How a contact answers, with its numbers. */
typedef struct wit_response {
    wit_response_kind kind;
    double stiffness; /* k, force per length */
    double damping;   /* c: LINEAR force per speed; HUNT_CROSSLEY 1 / speed */
    wit_damping_kind damping_kind;
    double friction;    /* Coulomb's mu. 0: none */
    double slip_speed;  /* PENALTY with RK2, RK4: s, a speed: below it friction fades, mu F v / sqrt(v^2 + s^2), and
                           lets a body creep; raised to what the step carries. Default 1e-3 */
    double restitution; /* IMPULSE: e, 0 to 1 */
    double rest_speed;  /* IMPULSE: a speed: slower touches do not bounce. 0: four steps of the gravity */
    double correction;  /* IMPULSE: share of the depth that is taken back in a step, 0 to 1. Default 0.2 */
} wit_response;

/* Penalty of stiffness 1000, no damping, no friction. */
WIT_API wit_response wit_response_default(void);

/* A pair of bodies that may touch. */
typedef struct wit_haptic_pair_def {
    int a, b;                     /* bodies of the world; a has a shape */
    const wit_response* response; /* null: that of the world */
} wit_haptic_pair_def;

/*
 * Features that a pair keeps: its tracker is placed there, never hands over to others and never searches
 * (keep_features, reacquire false, front 0). The parameters are where it starts, near the closest place. Both or
 * none; where b is a point its witness is of kind WIT_POINT. Not for the proxy.
 */
typedef struct wit_haptic_keep {
    const wit_witness *a, *b; /* copied */
} wit_haptic_keep;

/* ---- the device ---------------------------------------------------------------------------- */

/* Spring and damper between the device and the tool, in place and rotation:
 * F = k (x_device - x_tool) + b (x_device' - x_tool') on the tool at its origin, -F on the device. */
typedef struct wit_coupler {
    double stiffness, damping;                 /* force per length, force per speed */
    double angular_stiffness, angular_damping; /* torque per radian, torque per radian per second */
} wit_coupler;

/*
 * For simulation: a hand (spring and damper to where the human wants to be) on a device with a mass and a friction of
 * its own, all in place and rotation: m x'' = k (want - x) + b (want' - x') - d x' + force. Either stepped between the
 * steps of a world, semi-implicitly (wit_human_step), or part of the state of a world (wit_haptic_def.human).
 */
typedef struct wit_human {
    double stiffness, damping;                     /* k, b of the hand: force per length, force per speed */
    double angular_stiffness, angular_damping;     /* likewise, torque per radian, torque per radian per second */
    double mass, inertia;                          /* of device and hand, the inertia the same about all axes */
    double device_damping, device_angular_damping; /* d: force per speed, torque per radian per second */
    wit_motion at;                                 /* state: where the device is */
} wit_human;

/*
 * A general system: M(q) q'' = F(t) + (contacts) - C(q, q') - N(q, q'), C = the Coriolis and centrifugal forces (the
 * matrix of the textbooks times q'), N all other loads written as loads: gravity that pulls q down has N > 0. All
 * arrays are of `count` doubles, matrices row-major. Callbacks must be pure and finite.
 */
typedef struct wit_system {
    int count; /* degrees of freedom, 1 to WIT_MAX_FREEDOM */
    void (*mass)(const void* user, const double* q, double* M);
    void (*coriolis)(const void* user, const double* q, const double* speed, double* C);           /* null: none */
    void (*load)(const void* user, const double* q, const double* speed, double* N);               /* null: none */
    void (*drive)(const void* user, double time, const double* q, const double* speed, double* F); /* null: none */
    /* Where a link is and how it moves; J is 6 x count: velocity of the link's origin, then angular velocity, per
     * speed. */
    void (*link)(const void* user, int link, const double* q, const double* speed, wit_motion* motion, double* J);
    double (*potential)(const void* user, const double* q); /* of N; null: 0 */
    const void* user;
    int link_count;
    double q[WIT_MAX_FREEDOM], speed[WIT_MAX_FREEDOM]; /* at the start */
} wit_system;

/* ---- the world ----------------------------------------------------------------------------- */

/* A world of forces, in the caller's memory. */
typedef struct wit_haptic wit_haptic;

/* A world to be. */
typedef struct wit_haptic_def {
    size_t struct_size;
    const wit_haptic_body_def* bodies;
    int body_count;
    const wit_haptic_pair_def* pairs;
    int pair_count;
    wit_response response;    /* of pairs that have none of their own */
    wit_vec3 gravity;         /* acceleration */
    const wit_system* system; /* null: none */
    int tool;                 /* body that the device holds: dynamic, or the proxy. -1, the default: none */
    wit_coupler coupler;      /* of the tool. Of a proxy: stiffness and damping of its place */
    /* What the device itself takes off, force per speed and torque per angular speed, for the check of passivity.
     * Infinity, the default: a device that no force moves, such as a recording. */
    double device_damping, device_angular_damping;
    /* Largest speed of a proxy over what it touches. Where its foot runs over an edge at a depth it jumps, and the
     * force with it; with a limit the force changes by at most k h (twice the speed of the device + this) in any step.
     * Infinity, the default: none */
    double proxy_speed;
    /* Largest force and torque on the device, and with them of the coupler: its spring pulls no harder. Infinity, the
     * default: none. A tool that is led into something at that force stays behind. */
    double force_limit, torque_limit;
    /* Largest speeds of the device, length and radians per second: a device that jumps is followed no faster. Infinity,
     * the default: none. */
    double speed_limit, angular_speed_limit;
    wit_track_def track;          /* of all pairs; its law is not used, but this; two bodies have no front: */
    wit_law_def law;              /* of all pairs. Default DEADBEAT, the tracker's own */
    wit_integrator integrator;    /* DEFAULT: semi-implicit. RK2, RK4: all in one, with a law that is a flow */
    double rate;                  /* steps per second, at least; longer steps are refused */
    int iterations;               /* IMPULSE: rounds over the contacts, at most. Default 64 */
    bool allow_unstable;          /* create it although wit_haptic_check refuses its gains */
    const wit_haptic_keep* keeps; /* one of each pair; null, the default: none keeps anything */
    /* RK2, RK4: a hand on the device, both part of the one state; its `at` is where the device starts. The `device` of
     * a step is then where the hand wants to be. Copied. Null, the default: the device is where it is said to be. */
    const wit_human* human;
} wit_haptic_def;

/* No bodies, rate 1000. */
WIT_API wit_haptic_def wit_haptic_default_def(void);

/*
 * WIT_OK, or a refusal that names the field and what would be right: numbers that mean nothing (negative mass, inertia
 * that is not positive definite, a rate of zero), and gains that this rate does not carry:
 *   stability  for every dynamic body and the system, with K = sum of k (1/m_a + 1/m_b), C likewise over all that may
 *              act on it at once (1/m with the lever of a rotation): h^2 K + 2 h C < 4 for the semi-implicit step, the
 *              Runge-Kutta method's own region for the others (growth of at most 1 % per second). A system's masses are
 *              those at its start. The damping of HUNT_CROSSLEY and friction are not counted. RK2, RK4: gain of the law
 *              below the method's limit.
 *   passivity  device_damping > k h / 2 + b (Colgate), for place and rotation: the sampled coupler then never puts
 *              energy into the device, whoever holds it.
 */
WIT_API wit_status wit_haptic_check(const wit_haptic_def* def, double rate, wit_error* error);

/* Bytes that wit_haptic_init needs; 0 if it would refuse. */
WIT_API size_t wit_haptic_size(const wit_haptic_def* def);
/* In memory of the caller's, aligned for any type. Never to be destroyed. The def and its lists are copied. */
WIT_API wit_status wit_haptic_init(void* memory, size_t bytes, const wit_haptic_def* def, wit_haptic** out,
                                   wit_error* error);
/* With one allocation. `allocator` may be null. Null on refusal. */
WIT_API wit_haptic* wit_haptic_create(const wit_haptic_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API void wit_haptic_destroy(wit_haptic* world);

/* Force times length. stored + dissipated - supplied stays the same but for the error of the integrator. */
typedef struct wit_energy {
    /* kinetic: at the time of the places, m v.v' / 2 of the speeds half a step before and after it: the default step
     * keeps them half a step behind, and so gives them in wit_motion. With RK2, RK4 as they are. */
    double kinetic;
    double gravity;          /* potential, zero at the world's origin; of a system what it says */
    double coupler, contact; /* in the springs */
    double hand;             /* in the spring of a hand that is part of the state; its device counts in `kinetic` */
    double stored;           /* the sum of these */
    double dissipated; /* by dampers, friction, impulses, the proxy, and contacts that end loaded, since the start */
    /* By the device or the hand, the moved bodies, the system's drive, and by impulses that move bodies out of each
     * other, since the start. */
    double supplied;
} wit_energy;

/* What a step gave. */
typedef struct wit_haptic_result {
    double time;            /* seconds since the start */
    wit_vec3 force, torque; /* on the device, at its origin, world axes */
    wit_motion tool;        /* of the proxy or the tool's body */
    wit_motion device;      /* where the device is: as given, or, with a hand, where the two have brought it */
    wit_energy energy;
    double gap;     /* least signed distance of all pairs and contacts; infinity without pairs */
    int touching;   /* pairs in contact */
    unsigned flags; /* of all trackers: a set of wit_flag */
    wit_work work;  /* of all trackers and stages */
    bool limited;   /* the device went faster than a speed limit, or a force was at its limit */
    int unsure;  /* pairs in contact of which a contact was not solved in this step: the last one, moved along, acts */
    bool finite; /* false: unstable, numbers overflowed; the world stays where it was, in all further steps too */
} wit_haptic_result;

/* What a step gave for a pair. */
typedef struct wit_haptic_pair {
    double distance;     /* signed: negative is a depth */
    double rate;         /* of the distance, length per second */
    wit_vec3 normal;     /* unit, from a to b */
    wit_vec3 point;      /* between the witnesses: where the force acts */
    double force;        /* along the normal, on b; IMPULSE: impulse of the last step per dt */
    wit_vec3 force_on_b; /* with friction */
    bool touching;       /* a force acts */
    bool sure;           /* all contacts that press were solved in this step; else the last ones, moved along, act */
    wit_result track;    /* of the tracker. With RK2 and RK4 of the one that watches */
} wit_haptic_pair;

/* Where a MOVED body is to be at the end of the next step, and how it moves. A twist that is not known is derived. In
 * between, RK2 and RK4 take the cubic of both ends' poses and twists. */
WIT_API wit_status wit_haptic_move(wit_haptic* world, int body, const wit_motion* motion);
/* Before the first step: where the device (with a hand: what it wants) is at the start. If not told, where it is at the
 * end of the first step, at rest. Refused: null, poses that wit_pose_check refuses, a world that has been stepped. */
WIT_API wit_status wit_haptic_device_start(wit_haptic* world, const wit_motion* device);
/*
 * One step of dt seconds. `device`: where the device is at its end (with a hand: where that wants to be); null where
 * there is no tool. WIT_OK, or a refusal
 * that leaves the world as it was: null pointers, poses that wit_pose_check refuses, dt not positive or longer than
 * 1 / rate (unless allow_unstable). wit_haptic_check_step says which.
 */
WIT_API wit_status wit_haptic_step(wit_haptic* world, const wit_motion* device, double dt, wit_haptic_result* out);

/* Would wit_haptic_step refuse this, and why: the argument in error->item, and what would be right. */
WIT_API wit_status wit_haptic_check_step(const wit_haptic* world, const wit_motion* device, double dt,
                                         wit_error* error);
/* Why `finite` is false: the body or pair that was lost. WIT_OK while it is true. */
WIT_API wit_status wit_haptic_lost(const wit_haptic* world, wit_error* error);

/* One point where a pair touches, or is near to. */
typedef struct wit_haptic_point {
    int64_t id;          /* the same from step to step as long as the contact lasts; friction is held by it */
    double distance;     /* signed */
    wit_vec3 normal;     /* unit, from a to b */
    wit_vec3 point;      /* where the force acts */
    double force;        /* along the normal, on b */
    wit_vec3 force_on_b; /* with friction */
    bool sure;           /* solved in this step; else the last one, moved along */
    bool slides;         /* friction is at its limit */
} wit_haptic_point;

/* All of them, at most `capacity` written; returns how many there are. 0 for an index that is none, and of a proxy. */
WIT_API int wit_haptic_points(const wit_haptic* world, int pair, wit_haptic_point* out, int capacity);
/* The last hand-overs of a pair's witnesses, oldest first, at the times of the world; returns how many there were since
 * the start, which may be more than are kept (track.transitions) or than `capacity`: then the last ones are written. As
 * many as the results of the steps count. */
WIT_API int64_t wit_haptic_transitions(const wit_haptic* world, int pair, wit_transition* out, int capacity);

/* After a step; before the first one, where it starts. Refused: an index that is none. */
WIT_API wit_status wit_haptic_body(const wit_haptic* world, int body, wit_motion* out);
WIT_API wit_status wit_haptic_contact(const wit_haptic* world, int pair, wit_haptic_pair* out);
/* Coordinates and speeds of the system; count of them, 0 without one. The arrays may be null. */
WIT_API int wit_haptic_system(const wit_haptic* world, double* q, double* speed);
/* The tracker of a pair, to ask it more; null for an index that is none. Not to be stepped. */
WIT_API const wit_tracker* wit_haptic_tracker(const wit_haptic* world, int pair);

/* ---- devices, the human -------------------------------------------------------------------- */

/* Where motions come from and forces go to. */
typedef struct wit_device {
    wit_status (*read)(void* user, double time, wit_motion* out);
    void (*write)(void* user, double time, wit_vec3 force, wit_vec3 torque); /* null: forces go nowhere */
    void* user;
} wit_device;

/* Reads the device at the end of the step, steps, writes the force. */
WIT_API wit_status wit_haptic_serve(wit_haptic* world, const wit_device* device, double dt, wit_haptic_result* out);

/* A recorded trajectory; the arrays are the caller's. */
typedef struct wit_recording {
    const double* times; /* seconds, increasing */
    const wit_pose* poses;
    int count; /* 2 or more */
    bool loop; /* after the last time it begins anew; the last pose should be the first then */
} wit_recording;

/* WIT_OK, or why it can't be played. */
WIT_API wit_status wit_recording_check(const wit_recording* recording, wit_error* error);
/* Once continuously differentiable through all poses (cubic, slopes by differences of the neighbours); held at its ends
 * unless it loops. The twist is the exact derivative. */
WIT_API wit_status wit_recording_at(const wit_recording* recording, double time, wit_motion* out);
/* A device that plays it. */
WIT_API wit_device wit_recording_device(const wit_recording* recording);

/* A hand of 300 N/m and 2 N s/m on a device of 0.1 kg; at rest at the origin. */
WIT_API wit_human wit_human_default(void);
/* Refused: null pointers, dt not positive, numbers that mean nothing, h^2 k / m + 2 h (b + d) / m >= 4. */
WIT_API wit_status wit_human_step(wit_human* human, const wit_motion* want, wit_vec3 force, wit_vec3 torque, double dt);

/* ---- a two-link arm ------------------------------------------------------------------------ */

/*
 * In the x, z plane of `base`: q[0] turns link 0 about -y from the x axis (upwards), q[1] link 1 against link 0. The
 * origin of a link is its joint, its x axis runs along it. Driven by joint springs to a target that moves at constant
 * speed, and constant torques.
 */
typedef struct wit_two_link_arm {
    wit_pose base;
    double length[2], mass[2], centre[2], inertia[2]; /* centre: of mass, from the joint; inertia about it */
    double gravity;                                   /* acceleration along -z of the base */
    double friction[2];                               /* torque per radian per second of the joints; part of N */
    double torque[2], stiffness[2], damping[2];       /* of the drive: torque, per radian, per radian per second */
    double target[2], target_speed[2];                /* radians, radians per second */
} wit_two_link_arm;

/* Links of length 1, mass 1, slender rods, no gravity, no drive. */
WIT_API wit_two_link_arm wit_two_link_arm_default(void);
/* The system of it, at the start q = target, at rest. The arm must outlive it. WIT_OK or a refusal with the field. */
WIT_API wit_status wit_two_link_system(const wit_two_link_arm* arm, wit_system* out, wit_error* error);

#ifdef __cplusplus
}
#endif

#endif
