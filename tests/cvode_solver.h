/* SPDX-License-Identifier: MIT */
/* CVODE of SUNDIALS with root finding: Adams, functional iteration, tight tolerances. */
#ifndef TESTS_CVODE_SOLVER_H
#define TESTS_CVODE_SOLVER_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "analytic.h"

typedef struct solver {
    SUNContext context;
    N_Vector y;
    void* cvode;
    SUNNonlinearSolver fixed;
} solver;

static inline solver solver_open(int n, const double* y, double t, CVRhsFn f, CVRootFn roots, int root_count,
                                 void* user)
{
    solver s;
    assert_int_equal(SUNContext_Create(NULL, &s.context), 0);
    s.y = N_VNew_Serial(n, s.context);
    memcpy(N_VGetArrayPointer(s.y), y, sizeof(double) * (size_t)n);
    s.cvode = CVodeCreate(CV_ADAMS, s.context);
    assert_int_equal(CVodeInit(s.cvode, f, t, s.y), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(s.cvode, 1e-13, 1e-14), CV_SUCCESS);
    assert_int_equal(CVodeSetUserData(s.cvode, user), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxNumSteps(s.cvode, 10000000), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxStep(s.cvode, 0.05), CV_SUCCESS); /* no guard comes and goes within a step */
    s.fixed = SUNNonlinSol_FixedPoint(s.y, 0, s.context);
    assert_int_equal(CVodeSetNonlinearSolver(s.cvode, s.fixed), CV_SUCCESS);
    if (roots) assert_int_equal(CVodeRootInit(s.cvode, root_count, roots), CV_SUCCESS);
    return s;
}

static inline void solver_close(solver* s)
{
    CVodeFree(&s->cvode);
    SUNNonlinSolFree(s->fixed);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

#endif
