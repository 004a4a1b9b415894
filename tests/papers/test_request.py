"""What is asked of a table."""

from cardgames.papers.request import Request, Size


def test_seeds_begin_with_the_one_that_was_named() -> None:
    assert Request(seed=4).seeds == range(4, 7) == Request(seed=4, size=Size.BATCHED).seeds
    assert Request(seed=4, size=Size.QUICK).seeds == range(4, 5)


def test_as_many_are_trained_as_was_asked() -> None:
    assert [Request(seed=4, size=size, trainings=2).seeds for size in Size] == [range(4, 6)] * len(Size)


def test_how_many_games() -> None:
    quick = Request(size=Size.QUICK)
    assert (Request().number(9, 3), quick.number(9, 3), quick.number(9)) == (9, 3, 9)
    assert Request(7, size=Size.QUICK).number(9, 3) == 7


def test_files_that_are_not_of_the_full_size_say_so() -> None:
    assert [Request(size=size).file_name("a") for size in Size] == ["a", "a-batched", "a-stacked", "a-quick"]
    assert Request(size=Size.QUICK, rlcard_network=True).file_name("a") == "a-rlcard-network-quick"
    assert Request(size=Size.BATCHED, trainings=1).file_name("a") == "a-seeds-1-batched"


def test_figures_of_another_seed_overwrite_none() -> None:
    assert [Request(seed=seed).file_name("a") for seed in (0, 3)] == ["a", "a-seed-3"]
