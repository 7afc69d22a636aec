/* SPDX-License-Identifier: MIT */
/* What a tracker keeps of its contacts: the record, then contacts, those of the step under way, sites and events. */
#ifndef TRACK_CONTACT_RECORD_H
#define TRACK_CONTACT_RECORD_H

#include "step.h"

/* A contact and where it is on both bodies, each in its own frame: what is compared from step to step. */
typedef struct kept_contact {
    wit_tracked_contact c;
    wit_vec3 local[2];
    wit_vec3 normal; /* in the frame of a */
} kept_contact;

/* A local minimum, or a local contact inside, that is followed: the tracked pair is site 0. */
typedef struct contact_site {
    int64_t group; /* 0: none yet */
    place at[2];   /* p in the frame of a */
    wit_vec3 normal;
    double distance;
    bool solved; /* in this step */
} contact_site;

typedef struct contact_block {
    int capacity, event_capacity;
    int count, fresh; /* contacts; those of the step under way */
    int sites;
    bool complete, full, moved;
    int64_t next_id, next_group, events;
    bool listed;     /* the other sites were looked for, */
    bool listed_all; /* all of them, when b stood so in the frame of a: */
    wit_vec3 listed_turn[3], listed_shift;
    /* offsets from the block */
    size_t contacts_at, fresh_at, sites_at, events_at;
} contact_block;

static inline contact_block* contacts_of(const wit_tracker* t)
{
    return t->contacts_at ? (contact_block*)((char*)(uintptr_t)t + t->contacts_at) : NULL;
}

static inline kept_contact* block_contacts(contact_block* b)
{
    return (kept_contact*)(void*)((char*)b + b->contacts_at);
}

static inline kept_contact* block_fresh(contact_block* b)
{
    return (kept_contact*)(void*)((char*)b + b->fresh_at);
}

static inline contact_site* block_sites(contact_block* b)
{
    return (contact_site*)(void*)((char*)b + b->sites_at);
}

static inline wit_contact_event* block_events(contact_block* b)
{
    return (wit_contact_event*)(void*)((char*)b + b->events_at);
}

#endif
