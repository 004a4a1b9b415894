"""General utilities: error messages, interruption, file locks, atomic writes, TOML and tensor files, intervals.

Nothing here depends on games.
"""

__all__ = ["atomic_write", "errors", "file_lock", "interruption", "intervals", "tensor_file", "toml_file"]
