"""Kernels: the functions that Numba compiles, and what they are made of. The only room that touches Numba's internals.

What other rooms use:

- `jit.njit` compiles a kernel; `verb.verb` and `verb.verb_with_default` make a function that picks a game's kernel by the type of its
  rules; `indirect_call.indirect_call` makes a long kernel that is compiled at its first call.
- `compile_cache` has the folder of machine code: `JIT_ENABLED`, `CACHE_WRITABLE`, `mark_compiled` and `is_marked_compiled`.
- `bits`, `masks`, `rng`, `copying`, `record_type`, `sparse_matmul` and `transpose` are what kernels of all games need: words
  of 64 bits, sets of actions, random streams, copies, records and matrices. They use Numba's public interface alone.

Not in this room: anything about games, states or networks, which is in `core` and above.

Numba's internals are used by four parts. The figures are those of `docs/adr` and `docs/results.md`.

- Link-time inlining (`link_inlining`): a kernel that only other kernels call has no machine code of its own, is optimized
  once, and is one for all signed integers. One round between searches with the particle filter compiles in 55 - 59 of
  80 - 88 s of processor time, with simulations as fast as before (adr/0004). Optimized once instead of at each level, a
  first `mcts-dbm` answer takes 18.6, 19.1, 19.2, 20.0, 18.8 instead of 24.2, 24.5, 25.2, 26.1, 24.7 processor seconds.
- Indirect calls (`indirect_call`): kernels that few need do not make all others wait for their compilation. `policy`, a
  search and a search with the filter compile in 27 s, where called as any kernel they take 72 s (adr/0002).
- The compile cache (`compile_cache`, `source_fingerprint`, `cache_files`): machine code serves all processes until a kernel
  source changes, which Numba's own cache does not see if it is in another file. A first ever game answers after 23.7 s, a
  later one after 1.9 s (results.md, "The terminal").
- Verbs inside kernels (`verb`): a call is typed as one of the game's kernel itself, so it costs no function more. The public
  `numba.extending.overload` does the same with one more function for each call to compile. How much this saves has not been
  measured.

`numba_internals` decides at import whether Numba has these internals. If not, a warning is given once and all runs on the
public interface, with the same results: kernels by plain `numba.njit`, kept in the cache if its part still fits; indirect
calls as direct ones; verbs by `overload`.
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
