/* SPDX-License-Identifier: MIT */
#include "deflate.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 1 << 15,
    HASHES = 1 << 15,
    CHAIN = 12, /* earlier places that are tried for a match */
    SHORTEST = 3,
    LONGEST = 258,
    BLOCK = 1 << 15, /* symbols of a block at most */
    LITERALS = 286,
    DISTANCES = 30,
    LENGTH_CODES = 19,
    END = 256
};

/* Of length code 257 + i: the first length, and how many bits follow; of distances likewise. */
static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_base[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                           33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_bits[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                          6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

typedef struct symbol {
    uint16_t length, distance; /* distance 0: a literal, in `length` */
} symbol;

typedef struct packer {
    out* o;
    uint64_t hold; /* bits not yet written, the first lowest */
    int held;
    symbol symbols[BLOCK];
    int count;
    int32_t head[HASHES], before[WINDOW];
} packer;

/* ---- writing ----------------------------------------------------------------------------------------------------- */

void out_bytes(out* o, const void* bytes, size_t count)
{
    if (o->failed || !count) return;
    if (o->length + count + 1 > o->room) {
        size_t room = 2 * o->room + count + 4096;
        char* moved = realloc(o->text, room);
        if (!moved) {
            o->failed = true;
            return;
        }
        o->text = moved;
        o->room = room;
    }
    memcpy(o->text + o->length, bytes, count);
    o->length += count;
    o->text[o->length] = 0;
}

static void put_bits(packer* p, uint32_t bits, int count)
{
    p->hold |= (uint64_t)bits << p->held;
    p->held += count;
    while (p->held >= 8) {
        uint8_t byte = (uint8_t)p->hold;
        out_bytes(p->o, &byte, 1);
        p->hold >>= 8;
        p->held -= 8;
    }
}

/* ---- codes ------------------------------------------------------------------------------------------------------- */

typedef struct code {
    uint16_t bits[LITERALS];
    uint8_t length[LITERALS];
} code;

/* Depths of Huffman's tree; the deepest. Symbols that never come have 0. */
static int huffman_depths(const uint32_t* often, int n, uint8_t* depth)
{
    uint64_t weight[2 * LITERALS];
    int parent[2 * LITERALS], nodes = n;
    bool open[2 * LITERALS];
    for (int i = 0; i < n; i++) {
        weight[i] = often[i];
        open[i] = often[i] > 0;
    }
    for (;;) {
        int a = -1, b = -1; /* the two lightest */
        for (int i = 0; i < nodes; i++) {
            if (!open[i]) continue;
            if (a < 0 || weight[i] < weight[a]) {
                b = a;
                a = i;
            } else if (b < 0 || weight[i] < weight[b]) {
                b = i;
            }
        }
        if (b < 0) break;
        weight[nodes] = weight[a] + weight[b];
        open[a] = open[b] = false;
        open[nodes] = true;
        parent[a] = parent[b] = nodes++;
    }
    int root = nodes - 1, deepest = 0;
    for (int i = 0; i < n; i++) {
        int d = 0;
        for (int k = i; often[i] && k != root; k = parent[k]) d++;
        depth[i] = (uint8_t)d;
        if (d > deepest) deepest = d;
    }
    return deepest;
}

static uint16_t reversed(uint16_t bits, int length)
{
    uint16_t r = 0;
    for (int i = 0; i < length; i++) r = (uint16_t)(r | ((bits >> i & 1) << (length - 1 - i)));
    return r;
}

/* A code of lengths up to `most`. `often` is flattened until it fits; two symbols at least have a code. */
static void make_code(uint32_t* often, int n, int most, code* c)
{
    for (int i = 0; i < 2; i++)
        if (!often[i]) often[i] = 1;
    while (huffman_depths(often, n, c->length) > most)
        for (int i = 0; i < n; i++)
            if (often[i]) often[i] = often[i] / 2 + 1;
    uint16_t next = 0;
    for (int length = 1; length <= most; length++) {
        for (int i = 0; i < n; i++)
            if (c->length[i] == length) c->bits[i] = reversed(next++, length);
        next = (uint16_t)(next << 1);
    }
}

static int code_of(const uint16_t* base, int n, int value)
{
    int i = n - 1;
    while (base[i] > value) i--;
    return i;
}

static void put_code(packer* p, const code* c, int which)
{
    put_bits(p, c->bits[which], c->length[which]);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void put_lengths(packer* p, const code* literals, const code* distances)
{
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t all[LITERALS + DISTANCES];
    uint32_t often[LENGTH_CODES] = {0};
    memcpy(all, literals->length, LITERALS);
    memcpy(all + LITERALS, distances->length, DISTANCES);
    for (int i = 0; i < LITERALS + DISTANCES; i++) often[all[i]]++;
    code lengths;
    make_code(often, LENGTH_CODES, 7, &lengths);
    put_bits(p, LITERALS - 257, 5);
    put_bits(p, DISTANCES - 1, 5);
    put_bits(p, LENGTH_CODES - 4, 4);
    for (int i = 0; i < LENGTH_CODES; i++) put_bits(p, lengths.length[order[i]], 3);
    for (int i = 0; i < LITERALS + DISTANCES; i++) put_code(p, &lengths, all[i]);
}

static void put_block(packer* p, bool last)
{
    uint32_t often[LITERALS] = {0}, far[DISTANCES] = {0};
    often[END] = 1;
    for (int i = 0; i < p->count; i++) {
        const symbol* s = &p->symbols[i];
        if (s->distance) {
            often[257 + code_of(length_base, 29, s->length)]++;
            far[code_of(distance_base, 30, s->distance)]++;
        } else {
            often[s->length]++;
        }
    }
    code literals, distances;
    make_code(often, LITERALS, 15, &literals);
    make_code(far, DISTANCES, 15, &distances);
    put_bits(p, last, 1);
    put_bits(p, 2, 2);
    put_lengths(p, &literals, &distances);
    for (int i = 0; i < p->count; i++) {
        const symbol* s = &p->symbols[i];
        if (!s->distance) {
            put_code(p, &literals, s->length);
            continue;
        }
        int l = code_of(length_base, 29, s->length), d = code_of(distance_base, 30, s->distance);
        put_code(p, &literals, 257 + l);
        put_bits(p, (uint32_t)(s->length - length_base[l]), length_bits[l]);
        put_code(p, &distances, d);
        put_bits(p, (uint32_t)(s->distance - distance_base[d]), distance_bits[d]);
    }
    put_code(p, &literals, END);
    p->count = 0;
}

static void put_symbol(packer* p, int length, int distance)
{
    if (p->count == BLOCK) put_block(p, false);
    p->symbols[p->count++] = (symbol){(uint16_t)length, (uint16_t)distance};
}

/* ---- matches ----------------------------------------------------------------------------------------------------- */

static uint32_t hash(const uint8_t* at)
{
    return ((uint32_t)at[0] << 16 ^ (uint32_t)at[1] << 8 ^ at[2]) * 2654435761u >> 17;
}

static void remember(packer* p, const uint8_t* bytes, size_t at)
{
    uint32_t h = hash(bytes + at);
    p->before[at % WINDOW] = p->head[h];
    p->head[h] = (int32_t)at;
}

static int match(const packer* p, const uint8_t* bytes, size_t at, size_t count, int* distance)
{
    int best = 0, most = count - at < LONGEST ? (int)(count - at) : LONGEST;
    int32_t place = p->head[hash(bytes + at)];
    for (int tries = 0; tries < CHAIN && place >= 0; tries++) {
        size_t back = at - (size_t)place;
        if (back >= WINDOW || back == 0) break;
        int n = 0;
        while (n < most && bytes[(size_t)place + (size_t)n] == bytes[at + (size_t)n]) n++;
        if (n > best) {
            best = n;
            *distance = (int)back;
        }
        if (best == most) break;
        place = p->before[place % WINDOW];
    }
    return best >= SHORTEST ? best : 0;
}

void deflate(out* o, const uint8_t* bytes, size_t count)
{
    packer* p = malloc(sizeof *p);
    if (!p || count > INT32_MAX) {
        o->failed = true;
        free(p);
        return;
    }
    p->o = o;
    p->hold = 0;
    p->held = p->count = 0;
    for (int i = 0; i < HASHES; i++) p->head[i] = -1;
    for (size_t at = 0; at < count;) {
        int distance = 0, length = at + SHORTEST <= count ? match(p, bytes, at, count, &distance) : 0;
        put_symbol(p, length ? length : bytes[at], length ? distance : 0);
        for (size_t end = at + (size_t)(length ? length : 1); at < end; at++)
            if (at + SHORTEST <= count) remember(p, bytes, at);
    }
    put_block(p, true);
    put_bits(p, 0, 7); /* to whole bytes */
    free(p);
}

void base64(out* o, const uint8_t* bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t n = count - i < 3 ? count - i : 3;
        uint32_t x = (uint32_t)bytes[i] << 16;
        if (n > 1) x |= (uint32_t)bytes[i + 1] << 8;
        if (n > 2) x |= bytes[i + 2];
        char four[4] = {digits[x >> 18], digits[x >> 12 & 63], n > 1 ? digits[x >> 6 & 63] : '=',
                        n > 2 ? digits[x & 63] : '='};
        out_bytes(o, four, 4);
    }
}
