"""Options of a reproduction: seeds, number of games and file names."""

from cardgames.papers.request import Request, Size


def test_seeds_are_consecutive_from_the_given_one() -> None:
    assert Request(seed=4).seeds == range(4, 7) == Request(seed=4, size=Size.BATCHED).seeds
    assert Request(seed=4, size=Size.QUICK).seeds == range(4, 5)


def test_trainings_set_the_number_of_seeds() -> None:
    assert [Request(seed=4, size=size, trainings=2).seeds for size in Size] == [range(4, 6)] * len(Size)


def test_number_of_games_defaults_to_that_of_the_table() -> None:
    quick = Request(size=Size.QUICK)
    assert (Request().number(9, 3), quick.number(9, 3), quick.number(9)) == (9, 3, 9)
    assert Request(7, size=Size.QUICK).number(9, 3) == 7


def test_file_names_name_size_network_and_number_of_seeds() -> None:
    assert [Request(size=size).file_name("a") for size in Size] == ["a", "a-batched", "a-stacked", "a-quick"]
    assert Request(size=Size.QUICK, rlcard_network=True).file_name("a") == "a-rlcard-network-quick"
    assert Request(size=Size.BATCHED, trainings=1).file_name("a") == "a-seeds-1-batched"


def test_file_names_name_a_seed_other_than_0() -> None:
    assert [Request(seed=seed).file_name("a") for seed in (0, 3)] == ["a", "a-seed-3"]
