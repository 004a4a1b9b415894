"""General utilities: errors, interruption, file locks, atomic writes, TOML and tensor files, named arrays, intervals, text.

Nothing here depends on games.
"""

__all__ = [
    "atomic_write",
    "errors",
    "file_lock",
    "interruption",
    "intervals",
    "machine_description",
    "state_dict",
    "tensor_file",
    "text_table",
    "toml_file",
]
