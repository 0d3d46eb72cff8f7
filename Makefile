# What there is to do here. `make` alone lists it. Everything that is installed lands in folders that git ignores.
TAGS := interop,proxies,realworld,conformance,browser,soak,load,demo,realmodel,release
ALL = $$(go list -m -f '{{.Dir}}/...')
NODE := interop/node_modules/.ready
PAGES := data/view/node_modules/.ready gateway/web/ui/node_modules/.ready
export DIPTYCH_INTEROP_NODE := $(CURDIR)/interop/node_modules/.bin
export DIPTYCH_INTEROP_PYTHON := $(CURDIR)/interop/.venv/bin

.PHONY: help demo test lint interop conformance proxies browser real-model bench soak release assets

help: ## List the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 14

demo: assets ## Start the chat gateway on three example servers and say where it is; needs Node for its page
	@go build -o bin/ ./internal/demo ./examples/... ./gateway/cmd/diptych-gateway && exec bin/demo

test: ## Run the tests of all modules, with the race detector where there is a C compiler for it; needs only Go
	@go test $$(command -v "$$(go env CC)" >/dev/null && echo -race) $(ALL)

lint: $(PAGES) ## Check formatting and generated files, and run vet, staticcheck and eslint; needs Node
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	@go vet -tags $(TAGS) $(ALL)
	@GOWORK=off go -C .ci/tools build -o $(CURDIR)/bin/ tool
	@for dir in $$(go list -m -f '{{.Dir}}'); do (cd $$dir && $(CURDIR)/bin/staticcheck -tags $(TAGS) ./...) || exit 1; done
	@go tool diptych gen --check ./examples/... ./docs/...
	@for page in data/view gateway/web/ui; do npm run --prefix $$page -s lint || exit 1; done

interop: $(NODE) interop/.venv/.ready assets ## Meet real clients, real servers and other people's Go modules; needs Node and Python
	@go test -count=1 -timeout 20m -tags interop ./interop
	@GOWORK=off go -C interop/types test -count=1 -tags interop .
	@go test -count=1 -timeout 20m -tags interop,realworld -run 'Interop|RealWorld' ./cmd/...

conformance: $(NODE) ## Run the protocol's official suite against our server and client; needs Node
	@go test -count=1 -v -tags conformance -run Suite ./internal/conformance

proxies: ## Serve the production example through nginx, Caddy and systemd, and as its container; needs these three
	@PATH=$$PATH:/usr/sbin CGO_ENABLED=0 go test -count=1 -timeout 5m -tags proxies -run 'Nginx|Caddy|Units|Container' ./examples/production

browser: assets ## Test every page in Debian's chromium; needs Node, chromium and pdftotext
	@cd data/view && npm run test:browser
	@go test -count=1 -timeout 15m -tags browser ./gateway/web

real-model: gateway/realmodel/.venv/.ready ## Let the chat talk to a small real model on this machine; needs Python
	@DIPTYCH_REAL_MODEL=$(CURDIR)/gateway/realmodel/.venv/bin/python go test -count=1 -v -timeout 45m -tags realmodel ./gateway/realmodel

bench: ## Compare with other libraries, side by side in one run; with servers in Python and TypeScript where interop has put them
	@cd bench && go run . $$([ -x $(DIPTYCH_INTEROP_PYTHON)/fastmcp ] && echo -python $(DIPTYCH_INTEROP_PYTHON)/python) \
		$$([ -d ../interop/node_modules/@modelcontextprotocol/node ] && echo -node ../interop)

soak: ## Fuzz each target and load the examples, SOAK=10m each; not part of CI
	@for p in $$(go list $(ALL)); do for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $${SOAK:-10m} $$p || exit 1; done; done
	@go test -count=1 -v -tags soak -timeout 0 -run Soak ./internal/conformance -soak $${SOAK:-10m}

release: ## Make a release beside the branch, VERSION=v0.1.0; pushes nothing and needs Node
	@.ci/release "$(VERSION)"

assets: $(PAGES) ## Build the pages that Go embeds, where they are not up to date; needs Node

$(PAGES): $(wildcard data/view/src/* data/view/*.* gateway/web/ui/src/* gateway/web/ui/*.*)
%/node_modules/.ready: %/package-lock.json
	@[ "$$(npm -v >/dev/null && node -p 'parseInt(process.versions.node)')" -ge 20 ] 2>/dev/null || { echo "npm with Node 20 or later is missing; install it, or see in the README what works without"; exit 1; }
	@cd $* && npm ci --loglevel=error && npm run build --if-present && touch node_modules/.ready

%/.venv/.ready: %/requirements.txt
	@command -v python3 >/dev/null || { echo "python3 is missing; install Python 3.11 or later"; exit 1; }
	@python3 -m venv $*/.venv
	@$*/.venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r $< && touch $@
