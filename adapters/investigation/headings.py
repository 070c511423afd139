"""What stands above the columns of the scripts' tables, and the single words in them, in zh too.

In en they are what they are called in code: the names of the glossary.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.zhajinhua.wording import Language

IN_CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "",
        # whose, where, when
        "account": "账户",
        "actor": "操作者",
        "build": "程序版本",
        "first": "首个序号",
        "hand": "牌局",
        "last": "末个序号",
        "last position": "最后序号",
        "opponent": "对手",
        "player": "玩家",
        "position": "序号",
        "round": "轮次",
        "rulebook": "规则书",
        "digest": "摘要",
        "seat": "座位",
        "time": "时间",
        "who": "谁",
        # what
        "what": "事项",
        "why": "原因",
        "code": "代码",
        "rule": "规则",
        "stuck": "无法结算",
        "cards": "牌",
        "knew": "看牌与否",
        "do": "动作",
        "others in": "其余在局",
        "has to win": "需胜率",
        "best of those in": "局中最大",
        "figure": "项目",
        "claimed": "申报",
        "settled": "已结算",
        "recorded": "账上所记",
        "derived": "按规则",
        # how much
        "price": "跟注价",
        "paid": "实付",
        "pot": "底池",
        "hands": "局数",
        "net": "输赢",
        "won": "赢得",
        "lost": "输掉",
        "score": "得分",
        "chips": "筹码",
        "due": "应得",
        "difference": "差额",
        "together": "合计",
        "read model": "读模型",
        "wallet": "钱包",
        "fold": "逐条累计",
        "foreign": "对方",
        "all accounts": "全部账户",
        "house": "系统",
        # how a hand and a seat stand
        "running": "进行中",
        "void": "作废",
        "seen": "已看牌",
        "blind": "闷牌",
        "yes": "是",
        "no": "否",
    }
)

VERBS_IN_CHINESE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "look": "看牌",
        "call": "跟注",
        "raise": "加注",
        "compare": "比牌",
        "fold": "弃牌",
        "timeout": "超时",
        "all_in": "全押",
        "top_up": "补注",
    }
)


def heading(lang: Language, name: str) -> str:
    """Return a word in a language, with whatever marks the column as one of numbers or amounts."""
    word = name.rstrip("#$")
    return name if lang == "en" else IN_CHINESE[word] + name[len(word) :]


def headings(lang: Language, *names: str) -> list[str]:
    """Return the names of columns in a language."""
    return [heading(lang, name) for name in names]


def verb(lang: Language, do: str) -> str:
    """Return what a seat did in a language."""
    return do if lang == "en" else VERBS_IN_CHINESE[do]
