"""`python -m cardgames`, for when the script is not on the path."""

from cardgames.cli import main

main()
