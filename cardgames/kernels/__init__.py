"""Compilation of kernels with Numba, and building blocks for them. The only package that uses Numba's internals.

A kernel is a function that Numba compiles to machine code. Other packages use:

- `jit.njit`, which compiles a kernel; `verb.verb` and `verb.verb_with_default`, which make a function that calls the
  kernel of a game, chosen by the type of the rules; `indirect_call.indirect_call`, for a long kernel that is compiled
  at its first call.
- `compile_cache`, the folder of machine code: `JIT_ENABLED`, `CACHE_WRITABLE`, `mark_compiled` and
  `is_marked_compiled`.
- `bits`, `masks`, `rng`, `copying`, `record_type`, `sparse_matmul` and `transpose`: operations on 64-bit words, sets of
  actions, random streams, copies, records and matrices. They use only Numba's public interface.

Not in this package: anything about games, states or networks, which is in `core` and above.

Four parts use Numba's internals. The figures were measured when each part was added (Git has the notes).

- Link-time inlining (`link_inlining`): a kernel that only other kernels call gets no machine code of its own, is
  optimized only once, and has one version for signed integers of all widths. One round between searches with the
  particle filter compiles in 55 - 59 of 80 - 88 s of processor time, with simulations as fast as before.
  Optimized once instead of at each level, a first `mcts-dbm` answer takes 18.6, 19.1, 19.2, 20.0, 18.8 instead of 24.2,
  24.5, 25.2, 26.1, 24.7 processor seconds.
- Indirect calls (`indirect_call`): callers do not wait for the compilation of kernels that they rarely need. `policy`,
  a search and a search with the particle filter compile in 27 s, with direct calls in 72 s.
- The compile cache (`compile_cache`, `source_fingerprint`, `cache_files`): all processes share machine code until a
  kernel source changes. (Numba's own cache does not notice a change in another file.) The first game ever shows its
  first decision after 23.7 s, later ones after 1.9 s.
- Verbs inside kernels (`verb`): a call is typed as a call of the game's kernel itself. The public interface,
  `numba.extending.overload`, needs one more function to compile for each call. How much this saves has not been
  measured.

`numba_check` decides at import whether this version of Numba has these internals. If not, a warning is given once
and everything runs on the public interface, with the same results: kernels by plain `numba.njit` (cached on disk if the
internals of the cache are unchanged), indirect calls as direct ones, verbs by `overload`.
"""

__all__ = [
    "bits",
    "compile_cache",
    "copying",
    "indirect_call",
    "jit",
    "masks",
    "record_type",
    "rng",
    "sparse_matmul",
    "transpose",
    "verb",
]
