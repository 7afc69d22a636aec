/* SPDX-License-Identifier: MIT */
/* A server of a few fixed files on the loopback interface: one connection at a time, until it is interrupted. */
#ifndef CLI_VIEW_SERVER_H
#define CLI_VIEW_SERVER_H

#include "out.h"

typedef struct view_file {
    const char* path; /* "/", "/step.js" */
    const char* type; /* of its content */
    const char* text;
    size_t length;
} view_file;

/* Listens on 127.0.0.1; *port 0: any that is free. The socket, or -1 after a message. */
int view_listen(int* port);
/* Serves until SIGINT or SIGTERM. Requests for anything else are answered 404; other methods 405; a foreign Host 421. */
void view_serve(int socket, int port, const view_file* files, int count);

#endif
