"""What the scripts of an investigation say, in en and zh."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from domain.grounds import Words
from domain.zhajinhua.wording import Language


class FlagWords(NamedTuple):
    """What a flag says, and which chance it is held against."""

    name: Words
    says: Words
    model: Words


_PERMUTED: Final = Words(
    "Had it been chance with whom {giver} shared a hand, any as many of {giver}'s hands of the "
    "same rulebook and number of seats would be as likely to be these; likewise of {taker}'s. "
    "The larger of the two p-values counts.",
    "若与谁同桌纯属偶然，则在规则与人数相同的牌局中，{giver} 的任意同样多局都同样可能是这些局；"
    "{taker} 亦然。取两个 p 值中较大者。",
)

FLAGS: Final[Mapping[str, FlagWords]] = MappingProxyType(
    {
        "gives_up": FlagWords(
            Words("gives up", "弃牌相让"),
            Words(
                "{giver} folds with {taker} in, who then wins: {observed} of {encounters} hands; "
                "{expected} would be as with others",
                "{giver} 弃牌而 {taker} 在局并获胜：{encounters} 局中 {observed} 局；"
                "照与他人相比应为 {expected}",
            ),
            _PERMUTED,
        ),
        "gives_up_better": FlagWords(
            Words("gives up better cards", "弃好牌"),
            Words(
                "{giver} folds cards that beat those of {taker}, who then wins: {observed} of "
                "{encounters} hands; {expected} would be as with others",
                "{giver} 弃掉胜过 {taker} 的牌，{taker} 获胜：{encounters} 局中 {observed} 局；"
                "照与他人相比应为 {expected}",
            ),
            _PERMUTED,
        ),
        "raises_then_folds": FlagWords(
            Words("raises, then folds", "加注后相让"),
            Words(
                "{giver} raises and then folds to {taker}, who wins: {observed} of "
                "{encounters} hands; {expected} would be as with others",
                "{giver} 加注后弃牌，{taker} 获胜：{encounters} 局中 {observed} 局；"
                "照与他人相比应为 {expected}",
            ),
            _PERMUTED,
        ),
        "loses_chips": FlagWords(
            Words("loses chips", "输送筹码"),
            Words(
                "{giver} loses chips to {taker}: scores of {observed} over {encounters} hands; "
                "{expected} would be as with others (a hand's is 6, and one more for 1, 4, 16 … "
                "antes lost, or less for as many won)",
                "{giver} 输筹码给 {taker}：{encounters} 局共 {observed} 分；"
                "照与他人相比应为 {expected}（每局 6 分，每输 1、4、16……个底注加一分，赢则减）",
            ),
            _PERMUTED,
        ),
        "answers_quickly": FlagWords(
            Words("answers quickly", "应对过快"),
            Words(
                "{giver} moves quickly after {taker}: scores of {observed} over {encounters} "
                "hands; {expected} would be as with others (one more for half the time)",
                "{giver} 在 {taker} 之后行动过快：{encounters} 局共 {observed} 分；"
                "照与他人相比应为 {expected}（时间减半加一分）",
            ),
            _PERMUTED,
        ),
        "sessions_together": FlagWords(
            Words("come and go together", "同来同去"),
            Words(
                "sessions of {giver} with {taker} begin and end within two minutes of one of the "
                "other's: {observed} of {encounters}; {expected} would be as with others",
                "{giver} 与 {taker} 的时段起止相差不过两分钟：{encounters} 段中 {observed} 段；"
                "照与他人相比应为 {expected}",
            ),
            Words(
                "Had it been chance whom {giver} met in a session, any as many of {giver}'s "
                "sessions would be as likely to be these; likewise of {taker}'s. The larger of "
                "the two p-values counts.",
                "若一段时间里遇到谁纯属偶然，则 {giver} 的任意同样多段都同样可能是这些段；"
                "{taker} 亦然。取两个 p 值中较大者。",
            ),
        ),
    }
)

SENTENCES: Final[Mapping[str, Words]] = MappingProxyType(
    {
        # player
        "player": Words(
            "player {player}: {hands} hands, net {net}", "玩家 {player}：{hands} 局，净 {net}"
        ),
        "everybody": Words("everybody: {hands} hands", "全体玩家：{hands} 局"),
        "left_out": Words("left out: {reasons}", "未计入：{reasons}"),
        "not_settled": Words("{count} running or void", "{count} 局未结束或作废"),
        "unreadable": Words("{count} unreadable", "{count} 局无法读取"),
        "unknown_rulebook": Words("{count} of an unknown rulebook", "{count} 局规则未知"),
        "other_time": Words("{count} of another time", "{count} 局不在时段内"),
        "no_flag": Words("no flag", "无标记"),
        "no_tests": Words(
            "nothing could be tested: no pair shares {least} hands; --least takes fewer",
            "无从检验：没有任何两人同局达到 {least} 局；可用 --least 减少",
        ),
        "flag": Words("flag {number}: {name}", "标记 {number}：{name}"),
        "likely": Words(
            "p {p}, of {tests} tests corrected (Holm) {corrected}, against {giver}'s and "
            "{taker}'s hands",
            "p {p}，{tests} 次检验校正后（Holm）{corrected}，对照 {giver} 与 {taker} 的牌局",
        ),
        "at_most": Words("at most {p}", "至多 {p}"),
        "everybodys": Words("everybody", "所有人"),
        "behind": Words("{count} hands behind it:", "依据 {count} 局："),
        "and_more": Words(
            "… and {count} more; --json has them all", "……另有 {count} 条；--json 全部列出"
        ),
        "tests": Words(
            "{tests} tests of pairs with {least} hands or more; over honest play at most {alpha} "
            "of such runs raise a flag (Holm)",
            "对同局 {least} 局以上的玩家做 {tests} 次检验；"
            "诚实对局中此类检查至多 {alpha} 会误标（Holm）",
        ),
        "shared_actor": Words(
            "noted: {actor} gave the commands of {one} ({hands_one} hands) and {other} "
            "({hands_other} hands) and of nobody else, {together} of them together",
            "备注：{actor} 只为 {one}（{hands_one} 局）与 {other}（{hands_other} 局）下过指令，"
            "其中同局 {together}",
        ),
        "closest": Words(
            "closest to a flag: {name}, {giver} to {taker}, p {p}",
            "最接近标记：{name}，{giver} 对 {taker}，p {p}",
        ),
        # hand
        "verified": Words("verified: every event is what the rules give", "复核：每个事件均合规则"),
        "discrepancies": Words("verification: {count} discrepancies", "复核：{count} 处差异"),
        "claim_agrees": Words("{claimant} claims the same figures", "{claimant} 申报一致"),
        "claim_differs": Words("{claimant} claims other figures", "{claimant} 申报不同"),
        "no_claim": Words("nobody claims other figures", "无人申报"),
        "refused": Words("refused: {count}", "被拒：{count}"),
        "choices": Words("choices", "各家选择"),
        "whatifs": Words("under other rulebooks", "按其他规则"),
        "proof_at": Words(
            "a proof file can be had: checkpoint of size {size} covers the hand",
            "可出具证明文件：大小 {size} 的检查点涵盖此局",
        ),
        "no_proof": Words(
            "no proof file yet: no checkpoint covers the hand; `jinhua checkpoint` makes one",
            "尚不能出具证明文件：没有检查点涵盖此局；`jinhua checkpoint` 可生成",
        ),
        "stops": Words("stops: {code}", "中止：{code}"),
        # reconcile
        "agree": Words("{players} players, no difference", "{players} 名玩家，无差异"),
        "differ": Words(
            "{players} players, {count} differences", "{players} 名玩家，{count} 处差异"
        ),
        "as_of": Words("as of position {position}", "截至位置 {position}"),
        "parked": Words("{count} events are parked by the read model", "读模型搁置 {count} 个事件"),
        "unread": Words("{count} events cannot be read", "{count} 个事件无法读取"),
        # blast radius
        "hit": Words(
            "{hands} hands were settled so; settled anew {differ} differ, {stuck} cannot be",
            "共 {hands} 局如此结算；重新结算有 {differ} 局不同，{stuck} 局无法结算",
        ),
        "proposed": Words(
            "{count} corrections PROPOSED in {file}; none is posted",
            "{file} 中提出 {count} 条更正；均未入账",
        ),
        "none_posted": Words("nothing is posted", "未入账"),
        "short": Words(
            "{player} holds {balance}, {due} is to be taken back",
            "{player} 余额 {balance}，应收回 {due}",
        ),
    }
)


def in_words(lang: Language, text: str, /, **fields: object) -> str:
    """Return a sentence in a language, its fields filled in."""
    return told(lang, SENTENCES[text], **fields)


def told(lang: Language, words: Words, /, **fields: object) -> str:
    """Return words in a language, their fields filled in."""
    return words.of(lang).format(**fields)
