/* SPDX-License-Identifier: MIT */
/*
 *   make_cup >tests/data/cup.bpt
 *
 * A cup with a handle, in bicubic Bezier patches: the body of our own in the text form of the tea set. A profile of five
 * cubics from pole to pole (floor, wall, rim, inner wall, inner floor) is turned about z in quarters; the handle is a tube
 * of three pieces in quarters, whose ends stay open within the wall.
 */
#include <stdio.h>

/* A quarter of the unit circle as a cubic: (1, 0), (1, K), (K, 1), (0, 1). */
static const double K = 0.5522847498;

enum { QUARTERS = 4, PROFILE = 5, HANDLE = 3 };

typedef struct point {
    double x, y, z;
} point;

/* Control point j of a quarter of the unit circle. */
static void quarter(int q, int j, double* c, double* s)
{
    const double x[4] = {1, 1, K, 0}, y[4] = {0, K, 1, 1};
    const double turn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    *c = turn[q][0] * x[j] - turn[q][1] * y[j];
    *s = turn[q][1] * x[j] + turn[q][0] * y[j];
}

/* (radius, height) of the profile's control points, shared at the joints. */
static const double profile[3 * PROFILE + 1][2] = {
    {0, 0},     {0.8, 0},   {1.6, 0},   {2.2, 0},    {2.8, 0},  {3.4, 3},    {3.5, 4.9},  {3.5, 5.1},
    {3.3, 5.1}, {3.3, 4.9}, {3.2, 3.1}, {2.6, 0.25}, {2, 0.25}, {1.4, 0.25}, {0.7, 0.25}, {0, 0.25},
};

/* The handle's axis in the plane y = 0, and the way (in that plane) and radius of its sections. */
static const double axis[3 * HANDLE + 1][2] = {
    {3.35, 4.2}, {4.1, 4.6}, {5.2, 4.5}, {5.3, 3.2}, {5.4, 2}, {4.6, 1.2}, {4, 1}, {3.7, 0.9}, {3.3, 1}, {2.95, 1.1},
};
static const double across[3 * HANDLE + 1][2] = {
    {-0.4, 0.9}, {-0.3, 1}, {0.7, 0.8}, {1, 0.1}, {1, -0.1}, {0.6, -0.8}, {0.3, -1}, {0.1, -1}, {-0.2, -1}, {-0.3, -1},
};
static const double thick = 0.3;

static point on_cup(int i, int q, int j)
{
    double c, s;
    quarter(q, j, &c, &s);
    return (point){profile[i][0] * c, profile[i][0] * s, profile[i][1]};
}

static point on_handle(int i, int q, int j)
{
    double c, s;
    quarter(q, j, &c, &s);
    return (point){axis[i][0] + thick * c * across[i][0], thick * s, axis[i][1] + thick * c * across[i][1]};
}

static void strip(int pieces, point (*at)(int i, int q, int j))
{
    for (int k = 0; k < pieces; k++)
        for (int q = 0; q < QUARTERS; q++) {
            printf("3 3\n");
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) {
                    point p = at(3 * k + i, q, j);
                    printf("%.10g %.10g %.10g\n", p.x + 0.0, p.y + 0.0, p.z + 0.0);
                }
        }
}

int main(void)
{
    printf("%d\n", (PROFILE + HANDLE) * QUARTERS);
    strip(PROFILE, on_cup);
    strip(HANDLE, on_handle);
    return 0;
}
