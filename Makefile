# SPDX-License-Identifier: MIT
#
#   make                   builds build/witness
#   make demo              shows it at work
#   make demo-cad          installs Open CASCADE and asks about a STEP file (PART=FILE for one of yours)
#   make test              all tests, a tenth of each long campaign
#   make verify            the long campaigns in full, with their figures, and the fuzzers for a minute
#   make bench             times against the bare floor, SISL, Open CASCADE, FCL and Bullet
#   make fuzz              the fuzzers for FUZZ_SECONDS=60, from FUZZ_SEED=0: another start each time; make test starts from 1
#   make install PREFIX=   into PREFIX (default /usr/local); DESTDIR= is honoured
#   make clean, make format
#
# Missing Debian packages are installed by tools/setup; SETUP=: leaves that out.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: build demo demo-cad test verify bench fuzz install clean format tests-built tests-clang tests-asan

SETUP ?= tools/setup
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
FUZZ_SEED ?= 0

CONFIGURE = cmake --log-level=WARNING --preset
BUILD = cmake --build
CTEST = ctest --output-on-failure -j $(JOBS) --test-dir
QUIET = >/dev/null

build:
	@$(SETUP) build
	@$(CONFIGURE) release $(QUIET)
	@$(BUILD) build --target witness_command -j $(JOBS)

demo: build
	build/witness demo

# PART is a CAD file; without one the example makes its own: a plate with a hole, written by Open CASCADE.
demo-cad:
	@$(SETUP) cad
	@$(CONFIGURE) release -DWITNESS_CAD=ON -DWITNESS_EXAMPLES=ON $(QUIET)
	@$(BUILD) build --target witness_command example_plate -j $(JOBS)
	@[[ -n "$(PART)" ]] || build/examples/plate build/plate.step
	build/witness import "$(or $(PART),build/plate.step)" -o build/part.json
	build/witness closest build/part.json --point 100,20,30

# The run that decides stands last, so that its verdict is what one reads.
test:
	@$(SETUP) test
	@$(MAKE) tests-built tests-clang tests-asan
	@$(MAKE) fuzz FUZZ_SECONDS=10 FUZZ_SEED=1 SETUP=:
	@echo "== release: all tests"
	@$(CTEST) build | tee build/test.log
	@sed -n 's/^100% tests passed, 0 tests failed out of \([0-9]*\)$$/\1 passed, 0 failed/p' build/test.log | grep .

tests-built:
	@echo "== release: build"
	@$(CONFIGURE) release -DWITNESS_TESTS=ON -DWITNESS_WERROR=ON $(QUIET)
	@$(BUILD) build -j $(JOBS) $(QUIET)

# Same bits, another compiler: the golden hashes are compared here too.
tests-clang:
	@echo "== clang: build, kernels"
	@$(CONFIGURE) clang $(QUIET)
	@$(BUILD) build-clang -j $(JOBS) $(QUIET)
	@$(CTEST) build-clang -L bits --no-tests=error | grep -v '^Label Time Summary\|^$$'

# Sanitized code is some five times slower: a fiftieth of each campaign.
tests-asan:
	@echo "== asan: build, tests"
	@$(CONFIGURE) asan $(QUIET)
	@$(BUILD) build-asan -j $(JOBS) $(QUIET)
	@WITNESS_CAMPAIGN=0.02 $(CTEST) build-asan --no-tests=error

verify:
	@$(SETUP) verify cad
	@$(MAKE) tests-built
	@$(MAKE) fuzz FUZZ_SECONDS=60 SETUP=:
	@echo "== release: the campaigns in full"
	@WITNESS_CAMPAIGN=1 ctest --test-dir build -C verify -V -L campaign --no-tests=error
	@echo "== the same bits on another machine"
	@tests/install/cross.sh

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

# The corpus starts from the models and grows in build-fuzz; findings stay there as files. A fuzzer may have
# words of its own in fuzz/NAME.dict.
fuzz:
	@$(SETUP) fuzz
	@echo "== fuzz: $(FUZZ_SECONDS) s"
	@$(CONFIGURE) fuzz $(QUIET)
	@$(BUILD) build-fuzz -j $(JOBS) $(QUIET)
	@for program in build-fuzz/fuzz/fuzz_*; do \
	    [[ -f $$program && -x $$program ]] || continue; \
	    name=$${program##*/}; dict=; [[ ! -f fuzz/$$name.dict ]] || dict=-dict=fuzz/$$name.dict; \
	    mkdir -p build-fuzz/$$name.corpus; \
	    $$program $$dict -seed=$(FUZZ_SEED) -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
	        -artifact_prefix=build-fuzz/finding- build-fuzz/$$name.corpus models scenes >build-fuzz/fuzz.log 2>&1 \
	        || { grep -v '^#' build-fuzz/fuzz.log | tail -n 80; echo "$$name: a finding"; exit 1; }; \
	    sed -n "s/^stat::number_of_executed_units: */$$name: no finding, executions: /p" build-fuzz/fuzz.log; \
	done

install: build
	cmake --install build --prefix $(PREFIX) $(QUIET)

format:
	git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-debug build-asan build-clang build-fuzz
