/* SPDX-License-Identifier: MIT */
/* Hand-overs of a pair, whichever of its trackers made them, at the times of the world. */
#include "haptic_record.h"

static void put(const wit_haptic* w, world_pair* p, wit_transition t)
{
    int room = w->def.track.transitions;
    t.time = w->time;
    if (room > 0) ((wit_transition*)(void*)((char*)w + p->events_at))[p->event_count % room] = t;
    ++p->event_count;
}

/* The pair went to another tracker's, on other features: that is a hand-over too. */
static int put_change(const wit_haptic* w, world_pair* p, const wit_result* from, const wit_result* to)
{
    const wit_witness* was[2] = {&from->a, &from->b};
    const wit_witness* is[2] = {&to->a, &to->b};
    int n = 0;
    for (int side = 0; side < 2; ++side) {
        if (was[side]->feature == is[side]->feature && was[side]->id == is[side]->id) continue;
        put(w, p,
            (wit_transition){w->time, side, was[side]->feature, is[side]->feature, was[side]->id, is[side]->id,
                             from->distance, to->distance, true});
        ++n;
    }
    return n;
}

void wi_events_note(wit_haptic* w, world_pair* p, const wit_tracker* tracker, const wit_result* before, wit_result* now)
{
    enum { SEEN = 16 };
    wit_transition last[SEEN];
    int n = now->switches < SEEN ? now->switches : SEEN;
    if (n > 0) {
        int64_t all = wit_tracker_transitions(tracker, last, n);
        for (int i = 0; i < n && i < all; ++i) put(w, p, last[i]);
        now->switches = n < all ? n : (int)all;
    } else if (w->started && before) {
        now->switches = put_change(w, p, before, now);
        if (now->switches) now->flags |= WIT_FLAG_SWITCHED | WIT_FLAG_JUMPED;
    }
}

int64_t wit_haptic_transitions(const wit_haptic* w, int pair, wit_transition* out, int capacity)
{
    if (!w || pair < 0 || pair >= w->def.pair_count) return 0;
    const world_pair* p = &world_pairs(w)[pair];
    int64_t room = w->def.track.transitions, kept = p->event_count < room ? p->event_count : room;
    int64_t n = kept < capacity ? kept : capacity;
    const wit_transition* ring = (const wit_transition*)(const void*)((const char*)w + p->events_at);
    for (int64_t i = 0; out && i < n; ++i) out[i] = ring[(p->event_count - n + i) % room];
    return p->event_count;
}
