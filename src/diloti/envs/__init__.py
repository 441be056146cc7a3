"""Learning environments: the game as arrays for programs that learn it.

`actions` and `encode` say what the numbers mean; `diloti_v0` is the PettingZoo environment, `spiel`
the OpenSpiel game, `batch` many deals at once in compiled code, `decisions` the same arrays for
deals that were played already.
"""
