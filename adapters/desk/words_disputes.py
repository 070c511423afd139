"""The texts about disputes, in both languages side by side; wording.py joins them to the others."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final, get_args

from adapters.dossier.words import WORDS
from domain.events import Verdict
from domain.grounds import Words

DISPUTES: Final[Mapping[str, Words]] = {
    # all of them
    "disputes": Words("Disputes", "争议"),
    "disputes_about": Words(
        "What somebody holds against a hand, up to the verdict. Every text stays as it was written; a verdict changes nothing of the hand and moves no chip.",
        "对某一局的争议，直至裁定。文字写下后不再改动；裁定不改牌局，也不动筹码。",
    ),
    "disputes_caption": Words("Disputes, the newest first", "争议，最新的在前"),
    "disputes_none": Words("There is no dispute of this kind.", "没有这样的争议。"),
    "disputes_open": Words("open, {overdue} of them overdue", "待裁定，其中 {overdue} 件逾期"),
    "read_model.disputes": Words("disputes", "争议"),
    # how one stands: a word, or its verdict
    **{f"standing.{name}": WORDS[name] for name in ("open", "ruled", *get_args(Verdict))},
    "standing.overdue": Words("overdue", "逾期"),
    # one
    "dispute.title": Words("Dispute {dispute}", "争议 {dispute}"),
    "dispute.id": Words("Dispute", "争议"),
    "dispute.by": Words("By", "提出人"),
    "dispute.by_id": Words("By (id)", "提出人（编号）"),
    "dispute.sits": Words("seat {seat} of the hand", "本局 {seat} 号位"),
    "dispute.sits_nowhere": Words("sat in no seat of the hand", "未在本局入座"),
    "dispute.claims": Words("Claims", "主张"),
    "dispute.opened": Words("Opened", "提出时间"),
    "dispute.due": Words("Verdict due", "裁定期限"),
    "dispute.notes": Words("Notes", "备注"),
    "dispute.rests_on": Words("Rests on", "所依据"),
    "dispute.rests_on_claim": Words(
        "the foreign figures of event {event}", "第 {event} 个事件的外部申报"
    ),
    "dispute.hand_runs": Words(
        "They are set beside the settlement once there is one.", "结算之后才能与之对照。"
    ),
    "dispute.is_open": Words("Not ruled yet", "尚未裁定"),
    "dispute.is_open_about": Words("The verdict is due at {due}.", "裁定期限为 {due}。"),
    "dispute.is_overdue": Words("Overdue", "已逾期"),
    "dispute.is_overdue_about": Words(
        "The verdict was due at {due}. There is none.", "裁定期限为 {due}，至今没有裁定。"
    ),
    "dispute.is_ruled": Words("Ruled: {verdict}", "已裁定：{verdict}"),
    "dispute.late": Words("ruled after it was due", "逾期裁定"),
    "dispute.agrees": Words(
        "Every event is what the rules and the chain of hashes give.",
        "每个事件都与规则及哈希链一致。",
    ),
    "dispute.parts": Words(
        "What is recorded is not what the rules, or the chain of hashes, give:",
        "所记与规则或哈希链不符：",
    ),
    "dispute.file": Words("On file", "在案记录"),
    "dispute.entered_by": Words("entered by {actor}", "录入人 {actor}"),
    "dispute.evidence": Words("Evidence", "证据"),
    "dispute.size": Words("Size", "大小"),
    "dispute.bytes": Words("{size} bytes", "{size} 字节"),
    "dispute.evidence_about": Words(
        "The file itself is not kept here; whoever has it can show that it is this one.",
        "文件本身不存于账本；持有者可据此表明是同一文件。",
    ),
    "dispute.elsewhere": Words("The hand", "这一局"),
    "dispute.verify_hand": Words("Decide it again", "重新推算"),
}
