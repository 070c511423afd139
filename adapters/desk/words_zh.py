"""The texts of the pages, in Chinese."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    # around every page
    "ledger": "金花账本",
    "skip": "跳到正文",
    "pages": "页面",
    "settings": "语言与外观",
    "language": "语言",
    "language.zh": "中文",
    "language.en": "English",
    "theme": "外观",
    "theme.auto": "随系统",
    "theme.light": "浅色",
    "theme.dark": "深色",
    "sign_out": "退出",
    "signed_in_as": "当前身份：{name}",
    "role.service": "游戏后端",
    "role.auditor": "审计员",
    "role.investigator": "调查员",
    "role.player": "玩家",
    "at_tables": "限牌桌 {tables}",
    "footer": "时间均为 UTC；金额以筹码计，1 筹码为 100 分。",
    # the pages by name
    "overview": "总览",
    "hands": "牌局",
    "trail": "审计流水",
    "verification": "复核",
    "checkpoints": "检查点",
    "rulebooks": "规则书",
    "my_page": "我的账",
    # signing in
    "sign_in": "登录",
    "key": "API 密钥",
    "key_hint": "密钥以 jinhua_ 开头，由运行服务的人生成：",
    "key_failed": "这不是本服务的密钥，或已被吊销。",
    "sign_in_about": "每一局都是可以重放、可以核对的事实，精确到分。",
    "sign_in_cookie": "密钥存于本浏览器的 Cookie，退出或关闭浏览器即失效。请通过 HTTPS 或在本机使用。",
    # rulebooks
    "rulebooks_about": "每一局都以摘要锁定其中一本规则书，并永远按它结算；规则一改，就是新版本。",
    "rulebook": "规则书",
    "rulebook_name": "名称",
    "version": "版本",
    "version_of": "第 {version} 版",
    "document": "文档",
    "digest": "摘要",
    "rule_fields": "逐条规则",
    "rule_means": "规则",
    "rule_value": "取值",
    "rule_section": "RULES.md",
    "rule_rests_on": "依据",
    # what went wrong
    "problem": "没有成功",
    "problem.401": "尚未登录",
    "problem.403": "无权查看",
    "problem.404": "这里没有内容",
    "problem.429": "操作太快",
    "problem.503": "暂时不可用",
    "problem_code": "代码",
    "problem_rule": "规则",
    "back_to_start": "回到首页",
}
