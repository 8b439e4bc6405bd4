"""The ``softwood`` command: one module per subcommand."""
