# SPDX-License-Identifier: MIT
#
#   make                   builds build/witness; installs nothing: what is missing it names
#   make setup             installs what `make` needs (GROUPS="build test cad ...": see tools/setup)
#   make demo              shows it at work
#   make demo-cad          asks about a STEP file by Open CASCADE (PART=FILE for one of yours)
#   make test              all tests, a fiftieth of each long campaign; its parts: lint test-clang test-asan fuzz test-release
#   make lint              clang-format, clang-tidy and cppcheck have nothing to say
#   make verify            the long campaigns in full, with their figures, the fuzzers for a minute, test-tsan, test-msan,
#                          cross-aarch64, cross-windows
#   make coverage          which lines of src/ and io/ the tests run
#   make bench             times against the bare floor, SISL, Open CASCADE, FCL and Bullet
#   make bench-against     steps of the tracker, times and instructions, beside those of another state: REV=v0.1
#   make wasm              the core as WebAssembly, and the npm package witness-geometry
#   make page              the page of reports: build/page.html, one file that needs no network; build/step.js reads STEP for it
#   make python            the wheel of the Python package, in build-python/wheel; installed into a fresh environment and tested there;
#                          part of make test where NumPy is
#   make reference         the reference of the C library from its headers: build/reference/html; part of make lint where doxygen is
#   make test-page         the package in node, the page in chromium; part of make test where both are
#   make fuzz              the fuzzers for FUZZ_SECONDS=60, from FUZZ_SEED=0: another start each time; make test: 0 s, which
#                          is a fixed number of executions, from seed 1: the same run everywhere
#   make install PREFIX=   into PREFIX (default /usr/local); DESTDIR= is honoured
#   make clean, make format
#
# All but `make`, `make install`, `make format` and `make clean` install the Debian packages that they need and do not find,
# by tools/setup, which says which ones and why before it does. `make SETUP=: ...` leaves that out.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: build setup demo demo-cad test test-built test-release test-clang test-asan test-tsan test-msan lint coverage verify \
        cross-aarch64 cross-windows bench bench-against fuzz install clean format wasm page test-page python reference

SETUP ?= tools/setup
GROUPS ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
REV ?= v0.1
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= 0

CONFIGURE = cmake --log-level=WARNING --preset
BUILD = cmake --build
CTEST = ctest --output-on-failure -j $(JOBS) --test-dir
QUIET = >/dev/null
SOURCES = find include src io cad cli tests fuzz bench examples -name '*.[ch]' -o -name '*.[ch]pp'

build:
	@$(SETUP) --check build
	@$(CONFIGURE) release $(QUIET)
	@$(BUILD) build --target witness_command -j $(JOBS)

setup:
	@$(SETUP) $(GROUPS)

demo:
	@$(SETUP) build
	@$(MAKE) build
	@$(SETUP) view && JOBS=$(JOBS) viewer/build build || true
	build/witness demo

# PART is a CAD file; without one the example makes its own: a plate with a hole, written by Open CASCADE.
demo-cad:
	@$(SETUP) cad
	@$(CONFIGURE) release -DWITNESS_CAD=ON -DWITNESS_EXAMPLES=ON $(QUIET)
	@$(BUILD) build --target witness_command example_plate -j $(JOBS)
	@[[ -n "$(PART)" ]] || build/examples/plate build/plate.step
	build/witness import "$(or $(PART),build/plate.step)" -o build/part.json
	build/witness closest build/part.json --point 100,20,30

# ---- tests ------------------------------------------------------------------------------------

# The run that decides stands last, so that its verdict is what one reads.
test:
	@$(SETUP) test
	@$(MAKE) lint test-built test-clang test-asan SETUP=:
	@$(MAKE) fuzz FUZZ_SECONDS=0 FUZZ_SEED=1 SETUP=:
	@if tools/setup --check view browser 2>/dev/null && viewer/fetch; then PAGE_QUICK=1 $(MAKE) test-page SETUP=:; \
	    else echo "== page: left out: $$(tools/setup --check view browser 2>&1 | head -n 1)"; fi
	@if tools/setup --check python 2>/dev/null; then $(MAKE) python SETUP=:; \
	    else echo "== python: left out: $$(tools/setup --check python 2>&1 | head -n 1)"; fi
	@$(MAKE) test-release SETUP=:

test-built:
	@$(SETUP) test
	@echo "== release: build"
	@$(CONFIGURE) release -DWITNESS_TESTS=ON -DWITNESS_WERROR=ON $(QUIET)
	@$(BUILD) build -j $(JOBS) $(QUIET)

# A test that leaves something out, for want of data or of a tool, prints a line "SKIPPED: what".
test-release: test-built
	@echo "== release: all tests"
	@$(CTEST) build | tee build/test.log
	@sed -n 's/^SKIPPED: /   /p' build/Testing/Temporary/LastTest.log | sort -u >build/skipped.txt
	@[[ ! -s build/skipped.txt ]] || { echo "left out, $$(wc -l <build/skipped.txt) skipped:"; cat build/skipped.txt; }
	@sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$$/\1 passed, 0 failed/p' build/test.log | grep .

# No warnings and the same bits with another compiler: libraries, command, and the tests that compare golden hashes.
test-clang:
	@$(SETUP) test
	@echo "== clang: build, kernels"
	@$(CONFIGURE) clang $(QUIET)
	@$(BUILD) build-clang -j $(JOBS) --target witness_command bits_tests $(QUIET)
	@$(CTEST) build-clang -L bits --no-tests=error | grep -v '^Label Time Summary\|^$$'

# Sanitized code is some five times slower: a hundredth of each campaign.
test-asan:
	@$(SETUP) test
	@echo "== asan: build, tests"
	@$(CONFIGURE) asan $(QUIET)
	@$(BUILD) build-asan -j $(JOBS) $(QUIET)
	@WITNESS_CAMPAIGN=0.01 $(CTEST) build-asan -LE unsanitized --no-tests=error

# Threads that share bodies, by the library and by the command.
test-tsan:
	@$(SETUP) test
	@echo "== tsan: build, tests with threads"
	@$(CONFIGURE) tsan $(QUIET)
	@$(BUILD) build-tsan -j $(JOBS) --target threaded_tests $(QUIET)
	@WITNESS_CAMPAIGN=0.02 $(CTEST) build-tsan -L threads --no-tests=error

# What is read before it is written. Without Open CASCADE, which is not compiled so.
test-msan:
	@$(SETUP) test
	@echo "== msan: build, tests"
	@$(CONFIGURE) msan $(QUIET)
	@$(BUILD) build-msan -j $(JOBS) $(QUIET)
	@WITNESS_CAMPAIGN=0.02 $(CTEST) build-msan -L unit --no-tests=error

# clang-tidy takes the checks of .clang-tidy; tools/cppcheck says how cppcheck is run.
lint:
	@$(SETUP) lint
	@echo "== lint: clang-format, clang-tidy, cppcheck"
	@$(SOURCES) | xargs clang-format --dry-run -Werror
	@find src io cli -name '*.c' | xargs -P $(JOBS) -I{} tools/tidy {}
	@if tools/setup --check reference 2>/dev/null; then tools/reference; else echo "   reference: left out: doxygen is not here"; fi
	@JOBS=$(JOBS) tools/cppcheck build/lint

coverage:
	@$(SETUP) coverage
	@$(CONFIGURE) coverage $(QUIET)
	@$(BUILD) build-coverage -j $(JOBS) $(QUIET)
	@find build-coverage -name '*.gcda' -delete
	@WITNESS_CAMPAIGN=0.02 $(CTEST) build-coverage -L unit --no-tests=error | tail -n 3
	@gcovr -r . --object-directory build-coverage --exclude-directories '.*CompilerId' -j $(JOBS) --filter src/ --filter io/ \
	    --sort-uncovered --html-details build-coverage/lines.html --txt build-coverage/lines.txt --print-summary | grep '^lines'
	@echo "by file: build-coverage/lines.txt, line by line: build-coverage/lines.html"

verify:
	@$(SETUP) verify cad
	@$(MAKE) test-built SETUP=:
	@$(MAKE) fuzz FUZZ_SECONDS=60 SETUP=:
	@$(MAKE) test-tsan test-msan SETUP=:
	@echo "== release: the campaigns in full"
	@WITNESS_CAMPAIGN=1 ctest --test-dir build -C verify -V -L campaign --no-tests=error
	@$(MAKE) cross-aarch64 cross-windows SETUP=:

cross-aarch64:
	@$(SETUP) aarch64
	@echo "== the same bits on another machine"
	@tests/install/cross.sh

cross-windows:
	@$(SETUP) windows
	@echo "== the core for Windows"
	@tests/install/windows.sh

# The corpus starts from the models and grows in build-fuzz; findings stay there as files. A fuzzer may have
# words of its own in fuzz/NAME.dict.
fuzz:
	@$(SETUP) fuzz
	@echo "== fuzz: $(if $(filter 0,$(FUZZ_SECONDS)),a fixed number of executions,$(FUZZ_SECONDS) s)"
	@$(CONFIGURE) fuzz $(QUIET)
	@$(BUILD) build-fuzz -j $(JOBS) $(QUIET)
	@find build-fuzz/fuzz -maxdepth 1 -name 'fuzz_*' -type f -executable | sort | \
	    xargs -P $(JOBS) -I{} fuzz/run {} $(FUZZ_SECONDS) $(FUZZ_SEED)

reference:
	@$(SETUP) reference
	@tools/reference
	@echo "build/reference/html/index.html"

# ---- WebAssembly, the page ---------------------------------------------------------------------

wasm:
	@$(SETUP) view
	@JOBS=$(JOBS) wasm/package build/wasm

page:
	@$(SETUP) view
	@JOBS=$(JOBS) viewer/build build

test-page:
	@$(SETUP) view browser
	@echo "== page: the package in node, the page in chromium"
	@$(MAKE) build wasm page SETUP=:
	@tests/page/package.sh build/wasm/witness-geometry-*.tgz build/witness
	@$(CC) -std=c17 -O2 -Iinclude -o build/page-steps tests/page/steps.c build/libwitness_io.a build/libwitness.a -lm
	@node tests/page/steps.mjs build/page-steps
	@tests/page/documents.sh build/witness
	@node tests/page/page.mjs build/witness

# ---- Python -------------------------------------------------------------------------------------

python:
	@$(SETUP) python
	@echo "== python: wheel, tests"
	@$(CONFIGURE) python $(QUIET)
	@$(BUILD) build-python -j $(JOBS) $(QUIET)
	@python/build-wheel build-python build-python/wheel
	@tests/install/python.sh build-python/wheel/witness-*.whl

# ---- times ------------------------------------------------------------------------------------

bench:
	@$(SETUP) bench
	@$(CONFIGURE) release -DWITNESS_BENCH=ON $(QUIET)
	@$(BUILD) build --target bench_programs -j $(JOBS) $(QUIET)
	@build/bench/bench_jets
	@echo; build/bench/bench_point
	@echo; build/bench/bench_pair
	@echo; build/bench/bench_growth --svg build/growth.svg
	@echo; bench/run build/bench/bench_track
	@echo; build/bench/bench_faces
	@echo; build/bench/bench_front
	@echo; bench/run build/bench/bench_point_front
	@echo; build/bench/bench_batch
	@$(BUILD) build --target witness_command -j $(JOBS) $(QUIET)
	@bench/parts build/bench/parts
	@echo; build/bench/bench_worst_step 1000 build/bench/parts

bench-against:
	@$(SETUP) against
	@JOBS=$(JOBS) bench/against $(REV)

# ---- the rest ---------------------------------------------------------------------------------

install: build
	@$(BUILD) build --target witness_installed -j $(JOBS)
	cmake --install build --prefix $(PREFIX) $(QUIET)

format:
	$(SOURCES) | xargs clang-format -i

clean:
	rm -rf build build-debug build-asan build-clang build-fuzz build-tsan build-msan build-coverage build-against viewer/node_modules
