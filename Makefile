# `make test` sets up all it needs and runs every check. Needs the Rust toolchain alone.

CARGO ?= cargo

.PHONY: test format lint docs unit demo clean

test: format lint docs unit demo

format:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

unit:
	$(CARGO) test --workspace --locked

# The main job on built-in data, as the README shows it.
demo:
	$(CARGO) run --locked --quiet -- demo > /dev/null

clean:
	$(CARGO) clean
