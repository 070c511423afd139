"""The sentences of a hand's argument, in Chinese. A further rulebook adds sentences, never logic."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final

CATEGORIES: Final[Mapping[str, str]] = {
    "trips": "豹子",
    "straight_flush": "顺金",
    "flush": "金花",
    "straight": "顺子",
    "pair": "对子",
    "high_card": "散牌",
}

WORDS: Final[Mapping[str, str]] = {
    # parts of sentences
    "seat": "{number} 号位 {player}",
    "seat_cards": "{who}：{faces}（{category}）",
    "seat_carry": "{who} 携带 {carry}",
    "blind": "闷牌",
    "seen": "已看牌",
    "no_bound": "不设上限",
    "join": "，",
    "all": "、",
    "truncated": "{sum}（舍去零头）",
    "recorded": "账上记的是 {amount}",
    # the opening
    "opened": "本局按 {rulebook} 第 {version} 版（{name}）。底注 {ante}，单注上限 {max_stake}，最多 {limit} 轮；庄家 {dealer}，{opener} 先手。{seats}。",
    "antes": "{count} 家各下底注。",
    "dealt": "每人三张牌。{cards}。",
    "dealt_hidden": "每人三张牌；本局结束前不公开。",
    # betting
    "looked": "{who} 看牌；此后按单注的 {factor} 倍付。",
    "called": "{who}（{how}）跟注。",
    "called_by_timeout": "{who} 超时，防超时弃牌生效：自动跟注。",
    "raised": "{who}（{how}）加注，单注由 {old} 升到 {new}。",
    "folded": "{who} 弃牌；已下的 {contributed} 留在锅里。",
    "folded_by_timeout": "{who} 超时未操作，按弃牌处理；已下的 {contributed} 留在锅里。",
    "folded_by_everyone": "全体同时弃牌，{who} 出局。",
    # duels
    "compared": "{who}（{how}）与 {other} 比牌。{result}",
    "compared_by_timeout": "{who} 超时，第四轮起自动与下一家 {other} 比牌。{result}",
    "last_stand_duel": "孤注一掷：{who} 与 {other} 比牌。{result}",
    "forced_duel": "轮数已满，强制比牌：{who} 与 {other}。{result}",
    "shove_duel": "应全押：{who} 与 {other} 比牌。{result}",
    "beats": "{winner} 胜，{out} 出局。",
    "beats_shown": "{winner_faces}（{winner_category}）大于 {loser_faces}（{loser_category}）：{winner} 胜，{out} 出局。",
    "beats_235": "{winner_faces} 是不同花色的 235，胜 {loser_faces}（豹子）：{winner} 胜，{out} 出局。",
    "equal_shown": "{winner_faces} 与 {loser_faces} 大小完全相同，主动比牌者负：{winner} 胜，{out} 出局。",
    "wrongly": "账上记 {winner} 胜、{out} 出局；按规则应是 {rightful} 胜。",
    "nobody_out": "双方大小相同，都不出局。",
    "last_stand": "{who}（{how}）余额 {stack} 不够比牌，孤注一掷：投出全部，与其余各家轮流比牌。",
    "last_stand_by_timeout": "{who} 超时且余额 {stack} 不足，孤注一掷：投出全部，与其余各家轮流比牌。",
    # the end
    "bonus": "{who} 拿到{category}，系统送喜钱，无论输赢，不抽水。",
    "pot": "本局在第 {rounds} 轮结束，锅底是各家已下筹码之和。",
    "refund": "{who} 被孤注一掷打败，返还最后一轮多投的部分。",
    "won": "{who} 赢得锅底。",
    "rake": "抽水，只对净赢部分。",
    "net": "{who} 的结果是 {net}。",
    "before_rake": "{sum}（抽水前）",
    "balance": "各家合计等于系统送出的喜钱减抽水。",
    "claim_agrees": "{claimant} 自己报的结算与此一致。",
    "claim_differs": "{claimant} 自己报的结算与此不同。",
    "claim_figure": "{path}：对方报 {claimed}，应为 {derived}",
    "voided": "本局作废（{reason}），各家已下的筹码全部退回。",
    "running": "本局未结束，第 {round} 轮，轮到 {who}（{how}），余额 {stack}。",
    # names of amounts
    "name_ante": "底注",
    "name_call": "跟注",
    "name_raise": "加注",
    "name_compare": "比牌",
    "name_due": "应投",
    "name_paid": "实投",
    "name_bonus": "喜钱",
    "name_pot": "锅底",
    "name_refund": "返还",
    "name_won": "赢得",
    "name_side": "赔付",
    "name_rake": "抽水",
    "name_net": "结果",
    "name_contributed": "已下",
    "name_returned": "退回",
    "name_sum": "合计",
}
