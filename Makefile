# For hands that type make: every target is ./dev's command of that name.
.PHONY: demo test build bench fuzz format lint clean help
demo test build bench fuzz format lint clean help:
	@./dev $@
