/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "view_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

int view_listen(int* port)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    int yes = 1;
    if (s >= 0) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (s < 0 || bind(s, (struct sockaddr*)&at, sizeof at) || listen(s, 16) ||
        getsockname(s, (struct sockaddr*)&at, &length)) {
        fprintf(stderr, "witness view: port %d of this machine cannot be listened on: %s\n", *port, strerror(errno));
        if (s >= 0) close(s);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return s;
}

static void send_all(int to, const char* bytes, size_t count)
{
    while (count > 0 && !interrupted) {
        ssize_t n = send(to, bytes, count, MSG_NOSIGNAL);
        if (n <= 0) return;
        bytes += n;
        count -= (size_t)n;
    }
}

static void answer(int to, const char* status, const view_file* file, bool head)
{
    out o = {0};
    size_t length = file ? file->length : strlen(status) + 1;
    out_text(&o,
             "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
             "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: "
             "same-origin\r\nConnection: close\r\n\r\n",
             status, file ? file->type : "text/plain", length);
    if (!o.failed) send_all(to, o.text, o.length);
    out_free(&o);
    if (head) return;
    if (file) {
        send_all(to, file->text, file->length);
    } else {
        send_all(to, status, strlen(status));
        send_all(to, "\n", 1);
    }
}

/* Is the Host that the browser meant this one? Another name that leads here may be a trick of a foreign page. */
static bool is_own_host(const char* request, int port)
{
    const char* at = strstr(request, "\r\n");
    for (; at && at[2] && at[2] != '\r'; at = strstr(at + 2, "\r\n")) {
        if (strncasecmp(at + 2, "Host:", 5) != 0) continue;
        const char* host = at + 7;
        while (*host == ' ') host++;
        size_t n = strcspn(host, "\r\n ");
        const char* const own[] = {"127.0.0.1", "localhost"};
        for (int i = 0; i < 2; i++) {
            char wanted[40];
            snprintf(wanted, sizeof wanted, "%s:%d", own[i], port);
            if (strlen(wanted) == n && !strncasecmp(host, wanted, n)) return true;
        }
        return false;
    }
    return false;
}

static void serve_one(int to, int port, const view_file* files, int count)
{
    char request[8192];
    size_t length = 0;
    while (length + 1 < sizeof request) {
        ssize_t n = recv(to, request + length, sizeof request - 1 - length, 0);
        if (n <= 0) return;
        length += (size_t)n;
        request[length] = 0;
        if (strstr(request, "\r\n\r\n")) break;
    }
    if (!strstr(request, "\r\n\r\n")) {
        answer(to, "431 Request Header Fields Too Large", NULL, false);
        return;
    }
    bool head = !strncmp(request, "HEAD ", 5);
    if (!head && strncmp(request, "GET ", 4) != 0) {
        answer(to, "405 Method Not Allowed", NULL, false);
        return;
    }
    if (!is_own_host(request, port)) {
        answer(to, "421 Misdirected Request", NULL, head);
        return;
    }
    const char* path = request + (head ? 5 : 4);
    size_t n = strcspn(path, " ?#\r\n");
    for (int i = 0; i < count; i++) {
        if (strlen(files[i].path) != n || strncmp(files[i].path, path, n) != 0) continue;
        answer(to, "200 OK", &files[i], head);
        return;
    }
    answer(to, "404 Not Found", NULL, head);
}

void view_serve(int socket, int port, const view_file* files, int count)
{
    struct sigaction action = {.sa_handler = interrupt}; /* without SA_RESTART: accept ends */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    while (!interrupted) {
        int to = accept(socket, NULL, NULL);
        if (to < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            break;
        }
        struct timeval patience = {.tv_sec = 5};
        setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        serve_one(to, port, files, count);
        shutdown(to, SHUT_WR);
        close(to);
    }
    close(socket);
}
