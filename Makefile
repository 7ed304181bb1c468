# `make test` sets up all it needs and runs every check. Needs the Rust toolchain alone.

CARGO ?= cargo

.PHONY: test quick fix format lint docs emulator unit demo lean bench kernels clean

test: format lint docs emulator unit demo lean

# The inner loop: types, and the tests of the library. Under a minute when warm.
quick:
	$(CARGO) check --workspace --all-targets --locked
	$(CARGO) test -p vertopic --lib --locked

# Format, and apply what clippy suggests.
fix:
	$(CARGO) clippy --workspace --all-targets --locked --fix --allow-dirty --allow-staged
	$(CARGO) fmt --all

format:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

# qemu runs the program as other processors would (tests/processors.rs). Where it cannot be installed, that test is skipped.
emulator:
	@command -v qemu-x86_64 > /dev/null || ! command -v apt-get > /dev/null || \
		{ apt-get update && apt-get install -y qemu-user; } > /dev/null 2>&1 || echo "no qemu-user: one test is skipped"

unit:
	$(CARGO) test --workspace --locked

# The main job on built-in data, as the README shows it.
demo:
	$(CARGO) run --locked --quiet -- demo > /dev/null

# The program without other methods, figures and experiments.
lean:
	$(CARGO) check -p vertopic-cli --no-default-features --locked

# Speed beside other software and the machine's limits: make bench DATA=folder, with nips/ and rfc-pages/. Half an hour or so.
bench:
	@test -n "$(DATA)" || { echo "make bench DATA=folder (bench/README.md says what is in it)"; exit 2; }
	$(CARGO) build --release --locked
	python3 -m venv target/bench-venv
	target/bench-venv/bin/pip install -q -r bench/requirements.txt
	target/bench-venv/bin/python bench/speed.py --data $(DATA) --out target/speed
	target/bench-venv/bin/python bench/report.py target/speed/speed.csv --out target/speed

# The kernels one by one, on generated documents.
kernels:
	$(CARGO) bench --locked -p vertopic-lab --bench kernels

clean:
	$(CARGO) clean
