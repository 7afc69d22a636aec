#!/bin/bash
# SPDX-License-Identifier: MIT
# Takes the guards of the usual step away one by one, or turns them, and sees that a test fails each time.
#
#     tests/mutants/fast_step.sh BUILD [NAME]     from the root of the tree; BUILD: where libwitness.a is; one mutant only
#
# Each mutant is a file of src/track and a sed command that must change it. The files of the usual step are compiled again into a
# copy of the library, so that the general step stays as it is; test_fast_guards, test_fast_step and test_track_replay are
# linked with it, and one of them must fail. Ends with 1 if a mutant lives.
set -u
build=$1
only=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r src include bench tests "$work"
flags="-O2 -std=c17 -fPIC -ffp-contract=off -fno-math-errno"
cc=${CC:-cc}
lived=0
count=0

objects() # of the tests, once
{
    for f in test_fast_step step_twins track_paths track_scenes test_track_replay; do
        $cc $flags -c "tests/$f.c" -o "$work/$f.o" || exit 2
    done
    $cc $flags -c bench/surfaces.c -o "$work/surfaces.o" || exit 2
}

link()
{
    local library="$build/libwitness_io.a $work/libwitness.a -lcmocka -lm"
    $cc "$work"/{test_fast_step,step_twins,track_paths,track_scenes,surfaces}.o $library \
        -Wl,--wrap=wi_fast_step -o "$work/twins" || return 1
    $cc "$work"/{test_fast_guards,step_twins,track_paths}.o $library -Wl,--wrap=wi_fast_step -o "$work/guards" || return 1
    local wrap=""
    for f in malloc calloc realloc aligned_alloc wi_kernel_resolve; do wrap+=" -Wl,--wrap=$f"; done
    $cc "$work"/{test_track_replay,track_paths,track_scenes}.o $library $wrap -o "$work/replay"
}

# name, file, sed command
mutant()
{
    [ -n "$only" ] && [ "$only" != "$1" ] && return
    local file="$work/src/track/$2" by=
    count=$((count + 1))
    sed -E -i "$3" "$file"
    if cmp -s "$file" "src/track/$2"; then
        echo "$1: the command changes nothing"
        lived=$((lived + 1))
        return
    fi
    cp "$build/libwitness.a" "$work/libwitness.a"
    for f in fast_step fast_step_avx2 fast_step_portable; do
        $cc $flags -w -c "$work/src/track/$f.c" -o "$work/$f.c.o" || exit 2
    done
    # it asks some pieces directly
    $cc $flags -w -c "$work/tests/test_fast_guards.c" -o "$work/test_fast_guards.o" || exit 2
    ar r "$work/libwitness.a" "$work"/fast_step{,_avx2,_portable}.c.o 2>/dev/null
    link || exit 2
    for program in guards twins replay; do
        timeout 300 "$work/$program" >"$work/log" 2>&1 && continue
        by=$(sed -n 's/.*FAILED  \] \([a-z_]*\)$/\1/p' "$work/log" | head -1)
        by=${by:-a crash of $program}
        break
    done
    cp "src/track/$2" "$file"
    if [ -n "$by" ]; then
        echo "$1: found by $by"
    else
        echo "$1: LIVES"
        lived=$((lived + 1))
    fi
}

objects

# when a step may be a usual one
mutant ready_law fast_step.c 's/if \(t->law \|\| /if (/'
mutant ready_prediction fast_step.c 's/\|\| !guessed \|\|/||/'
mutant ready_within fast_step.c 's/d->within < INFINITY/false/'
mutant ready_outcome fast_step.c 's/s->outcome != WIT_OUTCOME_CONVERGED/false/'
mutant ready_held fast_step.c 's/\|\| s->held//'
mutant ready_history fast_step.c 's/t->history < TRACK_HISTORY/false/'
mutant ready_trimmed fast_step.c 's/!f->trimmed &&//'
mutant ready_unbounded fast_step.c 's/!f->unbounded &&//'
mutant ready_pieces fast_step.c 's/\|\| !pieces/|| true/'
mutant ready_form fast_step.c 's/d->form == WIT_FORM_CONTACT &&//'
mutant ready_other_face fast_step.c 's/&& plain_face\(t->body\[1\], &t->at\[1\]\)//'
mutant equal_steps fast_step.c 's/\|\| dt != t->past_dt\[0\] \|\| dt != t->past_dt\[1\]//'
mutant motion fast_step_side.h 's/fabs\(square - 1\) < 1.9e-6/true/'
mutant motion_finite fast_step_side.h 's/sum3\(m->twist.velocity\) \+ sum3\(m->twist.angular\) <= DBL_MAX/true/'
mutant motion_coordinates fast_step_side.h 's/sum3\(m->pose.position\) <= WIT_MAX_COORDINATE/true/'

# predict and look
mutant prediction predict.h 's/p0 \+ d \+ \(d - \(p1 - p2\)\)/p0/'
mutant order fast_step_side.h 's/guess->x\[t->order\]\[which\]/guess->x[0][which]/g'
mutant prove_foot fast_step_body.h 's/!prove_foot\(t, q, &at, &s, &gap, &planes, &proof\)/false/'
mutant range fast_step_side.h 's/return s->x\[0\] > s->u.lo .*/return true;/'
mutant poles fast_step_side.h 's/if \(f->poles\)/if (0)/'
mutant cell fast_step_side.h 's/return x\[0\] >= bu\[0\].*/return true;/'

# Newton
mutant point_definite fast_step_body.h 's/!\(h0 > 0 && det > PLAIN .*\)\) return false;/false)) return false;/'
mutant pair_first_definite fast_step_body.h 's/!\(k->p0 > 1e-12 \* E && det > 1e-12 \* E \* G\)/false/'
mutant pair_second_definite fast_step_body.h 's/!\(sense \* S0 > 0 && S0 \* S3 - half \* half > 1e-12 \* S0 \* S3 && ds > 0\)/false/'
mutant facing fast_step_body.h 's/!\(\(s\[1\].face->reversed \? -sense : sense\) \* facing < 0\)/false/'
mutant inside fast_step_body.h 's/\|\| !both_inside\(t, &rel, &w\)//'
mutant third arrive.h 's/return third \* way/return 0 * third * way/'
mutant third_point fast_step_body.h 's/rest_of\(s, d, gap\) <= tolerance &&//'
mutant third_pair fast_step_body.h 's/rest <= tolerance &&//'
mutant arrives arrive.h 's/return second \* second <= tolerance.*/return true;/'

# result
mutant two_sided_point fast_step_body.h 's/if \(t->body\[0\]->kind == WIT_BODY_SHEET2 && turned \* along < 0\) turned = -turned;//'
mutant two_sided_pair fast_step_body.h 's/if \(two_sided && sense \* dot\(at.r, at.n\) > 0\) sense = -sense;//'
mutant near_touch fast_step_body.h 's/bool far = length > NEAR_TOUCH \* t->size;/bool far = true;/'
mutant far fast_step_body.h 's/bool far = length > NEAR_TOUCH \* t->size;/bool far = false;/'
mutant kind_pair fast_step_body.h 's/out->kind = sense \* along < 0 \? /out->kind = true ? /'
mutant kind_level fast_step_body.h 's/if \(!\(fabs\(along\) > k.least\)\) .*//'
mutant flag_touching step_end.h 's/\? WIT_FLAG_TOUCHING : 0/? 0 : 0/'
mutant flag_overlapping step_end.h 's/flags \| WIT_FLAG_OVERLAPPING : flags/flags : flags/'
mutant planes_point fast_step_body.h 's/bound_by_planes\(t, at.plane, 0,/bound_by_planes(t, at.plane + 0.01 * t->size, 0,/'
mutant planes_pair fast_step_body.h 's/sqrt\(dot\(lean, lean\)\), rounding/0, rounding/'
mutant planes_convex fast_step_body.h 's/bool convex = t->supported && /bool convex = /'
mutant planes_apart fast_step_body.h 's/bool convex = t->supported && gap.distance > 0;/bool convex = t->supported;/'
mutant carried carried_bound.h 's/double moved = known \? bound_moved\(t, rows, origin\) : 0;/double moved = 0;/'
mutant doubts fast_step_body.h 's/bound_doubts\(t, gap.distance, bound.lower\)/false/'
mutant proves carried_bound.h 's/if \(\*lower > distance \+ slack \|\| above < distance - slack\) return false;//'
mutant proves_slack carried_bound.h 's/distance - \*lower \+ rounding <= slack/true/'
mutant kept carried_bound.h 's/return lower > -4 .*/return lower;/'
mutant errors fast_step_body.h 's/w->sense \* slant\(n, 1,/slant(n, 1,/'
mutant direction step_end.h 's/return gap > NEAR_TOUCH \* t->size \|\| .*/return true;/'
mutant work fast_step_body.h 's/\.units = sides, //'
mutant rate fast_step_body.h 's/out->rate = dot\(out->normal, seen\);/out->rate = 0;/'

# memory
mutant remember_sign fast_step_body.h 's/t->sign = .*/;/'
mutant remember_point fast_step_body.h 's/t->last_point = q;//'
mutant remember_normal step_end.h 's/t->normal = normal;//'
mutant remember_foot step_end.h 's/t->foot = foot;//'
mutant remember_pose step_end.h 's/t->last\[1\] = b->pose;//'
mutant remember_time step_end.h 's/t->time \+= dt;//'
mutant remember_past predict.h 's/t->past\[h\]\[i\]\[k\] = t->past\[h - 1\]\[i\]\[k\];//'
mutant remember_order fast_step_body.h 's/t->order = predict_best\(t, guess, sides\);//'

echo "$count mutants, $lived live"
[ "$lived" -eq 0 ]
