/* SPDX-License-Identifier: MIT */
/* Work in a child process with limits of time and memory: what Open CASCADE does to the process, it does to the child. */
#ifndef TESTS_LIMITED_CHILD_H
#define TESTS_LIMITED_CHILD_H

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string>

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace limited
{

struct Limits {
    double seconds = 60; // of the clock on the wall
    double megabytes = 8192;
};

struct Ended {
    bool good = false; // by itself
    std::string said;  // what the child wrote, also where it was ended
    std::string why;   // where it is not good
};

inline double now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline void limit(int what, double most)
{
    struct rlimit l;
    if (getrlimit(static_cast<__rlimit_resource>(what), &l) != 0) return;
    if (l.rlim_max == RLIM_INFINITY || most < static_cast<double>(l.rlim_max)) l.rlim_cur = static_cast<rlim_t>(most);
    setrlimit(static_cast<__rlimit_resource>(what), &l);
}

// What the child says is for its parent: body(out) writes to `out`, and may flush to say how far it came.
template <class Body> [[noreturn]] void be_the_child(int to, Limits limits, Body body)
{
#if !defined(__SANITIZE_ADDRESS__)
    limit(RLIMIT_AS, limits.megabytes * 1048576);
#endif
    limit(RLIMIT_CPU, 4 * limits.seconds + 1);
    limit(RLIMIT_CORE, 0);
    FILE* out = fdopen(to, "w");
    bool good = out != nullptr;
    try {
        if (good) body(out);
    } catch (...) {
        good = false;
    }
    if (out) std::fflush(out);
    _exit(good ? 0 : 1);
}

// All that comes until the child closes its end; false when the time is up first.
inline bool listen(int from, double seconds, std::string& said)
{
    double end = now() + seconds;
    char text[4096];
    for (;;) {
        double left = end - now();
        struct pollfd p = {from, POLLIN, 0};
        int ready = left > 0 ? poll(&p, 1, static_cast<int>(1000 * left) + 1) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        ssize_t n = read(from, text, sizeof text);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        said.append(text, static_cast<size_t>(n));
    }
}

// Children of the child that hold its end of the pipe are in its group, and end with it.
template <class Body> Ended run(Limits limits, Body body)
{
    Ended r;
    int ends[2];
    std::fflush(nullptr);
    if (pipe(ends) != 0) {
        r.why = "no pipe";
        return r;
    }
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        close(ends[0]);
        be_the_child(ends[1], limits, body);
    }
    close(ends[1]);
    int how = 0;
    bool in_time = child > 0 && listen(ends[0], limits.seconds, r.said);
    close(ends[0]);
    if (child > 0 && !in_time && kill(-child, SIGKILL) != 0) kill(child, SIGKILL);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    r.good = in_time && WIFEXITED(how) && WEXITSTATUS(how) == 0;
    if (child < 0)
        r.why = "no process can be started";
    else if (!in_time)
        r.why = "not done after " + std::to_string(static_cast<long>(limits.seconds)) + " s";
    else if (WIFSIGNALED(how))
        r.why = "crashed (signal " + std::to_string(WTERMSIG(how)) + ")";
    else if (!r.good)
        r.why = "gave up";
    return r;
}

} // namespace limited

#endif
