"""Tests by which methods are compared: plain numbers in, plain numbers out.

Scores are errors or losses throughout: lower is better.
"""

from softwood.statistics.adjust import adjust_bonferroni, adjust_hochberg, adjust_holm
from softwood.statistics.bayes import (
    Verdict,
    bayes_correlated_t_test,
    bayes_sign_test,
    bayes_signed_rank_test,
)
from softwood.statistics.cliques import cliques
from softwood.statistics.counting import SignTestResult, binomial_interval, sign_test
from softwood.statistics.effect import (
    Effect,
    cliff_delta,
    cohen_d,
    rank_biserial,
    vargha_delaney,
)
from softwood.statistics.five_by_two import (
    FiveByTwoResult,
    five_by_two_f_test,
    five_by_two_t_test,
)
from softwood.statistics.omnibus import (
    OmnibusResult,
    aligned_ranks_test,
    friedman_test,
    iman_davenport_test,
)
from softwood.statistics.paired import (
    TTestResult,
    WilcoxonResult,
    corrected_t_test,
    paired_t_test,
    wilcoxon_test,
)
from softwood.statistics.posthoc import (
    PostHocResult,
    bonferroni_dunn,
    critical_difference,
    hochberg,
    holm,
    nemenyi,
)
from softwood.statistics.ranks import aligned_ranks, mean_ranks, rank_methods, score_matrix
from softwood.statistics.wins import WinDrawLoss, WinTable, win_draw_loss, win_table

__all__ = [
    "Effect",
    "FiveByTwoResult",
    "OmnibusResult",
    "PostHocResult",
    "SignTestResult",
    "TTestResult",
    "Verdict",
    "WilcoxonResult",
    "WinDrawLoss",
    "WinTable",
    "adjust_bonferroni",
    "adjust_hochberg",
    "adjust_holm",
    "aligned_ranks",
    "aligned_ranks_test",
    "bayes_correlated_t_test",
    "bayes_sign_test",
    "bayes_signed_rank_test",
    "binomial_interval",
    "bonferroni_dunn",
    "cliff_delta",
    "cliques",
    "cohen_d",
    "corrected_t_test",
    "critical_difference",
    "five_by_two_f_test",
    "five_by_two_t_test",
    "friedman_test",
    "hochberg",
    "holm",
    "iman_davenport_test",
    "mean_ranks",
    "nemenyi",
    "paired_t_test",
    "rank_biserial",
    "rank_methods",
    "score_matrix",
    "sign_test",
    "vargha_delaney",
    "wilcoxon_test",
    "win_draw_loss",
    "win_table",
]
