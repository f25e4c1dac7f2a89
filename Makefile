# Lets you type make: every target runs the ./dev command of the same name.
.PHONY: demo test build bench fuzz format lint clean help
demo test build bench fuzz format lint clean help:
	@./dev $@
