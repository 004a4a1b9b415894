"""What any program needs: errors in one line, interruption, file locks, atomic writes, TOML and tensor files, intervals.

Nothing here knows what a game is.
"""

__all__ = ["atomic_write", "errors", "file_lock", "interruption", "intervals", "tensor_file", "toml_file"]
