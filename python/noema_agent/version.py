"""The release of Noema that this package is made for. A test compares it with package.json."""

VERSION = "1.0.0"
