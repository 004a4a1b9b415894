"""General utilities: errors, interruption, file locks, atomic writes, TOML and tensor files, named arrays, intervals.

Nothing here depends on games.
"""

__all__ = ["atomic_write", "errors", "file_lock", "interruption", "intervals", "state_dict", "tensor_file", "toml_file"]
