"""What a dossier says, and the words of disputes wherever they are told: in en and zh."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.grounds import Words
from domain.zhajinhua.wording import Language

WORDS: Final[Mapping[str, Words]] = MappingProxyType(
    {
        # between words
        "colon": Words(": ", "："),
        "comma": Words(", ", "、"),
        "semicolon": Words("; ", "；"),
        # disputes
        "dispute": Words("dispute", "争议"),
        "hand": Words("hand", "牌局"),
        "by": Words("by", "提出人"),
        "claims": Words("claims", "主张"),
        "due": Words("due", "期限"),
        "state": Words("state", "状态"),
        "verdict": Words("verdict", "裁定"),
        "notes": Words("notes", "备注"),
        "why": Words("reasons", "理由"),
        "evidence": Words("evidence", "证据"),
        "bytes": Words("{size} bytes", "{size} 字节"),
        "claim_event": Words("rests on the claim of event", "所依据的申报（事件）"),
        "opened": Words("opened", "提出"),
        "noted": Words("noted", "备注"),
        "open": Words("open", "待裁定"),
        "ruled": Words("ruled", "已裁定"),
        "upheld": Words("upheld", "成立"),
        "partly_upheld": Words("partly upheld", "部分成立"),
        "rejected": Words("rejected", "不成立"),
        "withdrawn": Words("withdrawn", "已撤回"),
        # the head
        "title": Words("Dossier of hand {hand}", "牌局 {hand} 卷宗"),
        "made": Words("Made", "制作时间"),
        "as_of": Words("History read up to position", "账本读至序号"),
        "viewer": Words("Made for", "供阅者"),
        "auditor": Words(
            "an auditor: everything but the cards of a running hand",
            "审计：除进行中牌局的牌外，全部可见",
        ),
        "player": Words(
            "player {player} (seat {seat}): what that player may see",
            "玩家 {player}（{seat} 号位）：只含其可见内容",
        ),
        "public": Words(
            "the public: no refusals, and of disputes no texts", "公众：不含被拒操作，争议不含文字"
        ),
        "conventions": Words(
            "Amounts are in chips with two decimals, 1.00 being 100 minor units. Times are UTC. Players are called by their ids.",
            "金额以筹码计，两位小数，1.00 为 100 分。时间均为 UTC。玩家以编号称呼。",
        ),
        "contents": Words("Contents", "目录"),
        # the verdict
        "verdict_section": Words("The outcome", "结论"),
        "hand_state": Words("Hand", "牌局"),
        "running": Words(
            "still running: it has no settlement, and no cards are shown",
            "仍在进行：尚无结算，牌不公开",
        ),
        "running_seat": Words(
            "still running: it has no settlement, and of the cards only those that this seat has looked at are shown",
            "仍在进行：尚无结算，只显示本座已看过的自己的牌",
        ),
        "settled": Words(
            "settled; the pot of {pot} was won by {winners}",
            "已结算；锅底 {pot}，由 {winners} 赢得",
        ),
        "void": Words(
            "void: {reason}. Every chip went back to the seat it came from",
            "作废：{reason}。筹码全部退回原座位",
        ),
        "verification": Words("Verification", "复核"),
        "agrees": Words(
            "Every event was decided again from the events before it, under the rulebook pinned at the opening. Nothing recorded differs from what the rules give, and every event fits its chain of hashes.",
            "每个事件都按开局时锁定的规则、由此前的事件重新裁决。记录与规则所得无一差异，且每个事件都与哈希链相符。",
        ),
        "parts": Words(
            "{count} discrepancies: what is recorded is not what the rules, or the chain of hashes, give. They stand below.",
            "发现 {count} 处差异：记录与规则或哈希链所得不符，列于下方。",
        ),
        "parts_one": Words(
            "1 discrepancy: what is recorded is not what the rules, or the chain of hashes, give. It stands below.",
            "发现 1 处差异：记录与规则或哈希链所得不符，列于下方。",
        ),
        "deal": Words("Deal", "发牌"),
        "no_disputes": Words("none about this hand", "本局没有争议"),
        "dispute_open": Words("{dispute}: open, due {due}", "{dispute}：待裁定，期限 {due}"),
        "dispute_ruled": Words("{dispute}: {verdict}", "{dispute}：{verdict}"),
        "proof": Words("Proof", "证明"),
        "proof_there": Words(
            "this file carries a proof that leads to the checkpoint of size {size}",
            "本卷宗附有通向大小为 {size} 的检查点的证明",
        ),
        "proof_missing": Words(
            "this file carries no proof; section {section} says why",
            "本卷宗没有附证明；原因见第 {section} 节",
        ),
        "discrepancies": Words("Discrepancies", "差异"),
        "position": Words("position", "序号"),
        "what": Words("what", "内容"),
        "recorded": Words("recorded", "账上记录"),
        "derived": Words("by the rules", "按规则"),
        "rule": Words("rule", "规则"),
        "withheld": Words("(withheld while the hand runs)", "（牌局进行中，不显示）"),
        # table and rulebook
        "table_section": Words("Players, table and rulebook", "玩家、牌桌与规则"),
        "seat": Words("seat", "座位"),
        "seat_player": Words("seat {seat} ({player})", "{seat} 号位 {player}"),
        "who_player": Words("player", "玩家"),
        "carry": Words("carry", "携带"),
        "role": Words("role", "角色"),
        "dealer": Words("dealer", "庄家"),
        "opener": Words("acts first", "先手"),
        "cards": Words("cards", "牌"),
        "rulebook": Words("Rulebook", "规则"),
        "rulebook_is": Words("{id}, version {version} ({name})", "{id} 第 {version} 版（{name}）"),
        "document": Words("Rule document", "规则文档"),
        "digest": Words("Digest (SHA-256)", "摘要（SHA-256）"),
        "commitment": Words("Commitment to the deck", "牌序承诺"),
        "parameter": Words("parameter", "参数"),
        "value": Words("value", "取值"),
        "means": Words("meaning", "含义"),
        # timeline
        "timeline_section": Words("Timeline", "时间线"),
        "timeline_note": Words(
            "Positions give the order. The first time is the one that whoever gave the command says; the second, where it is a second away or more, is when the server recorded it. Price is what the seat put into the pot; stack and pot are after the event.",
            "先后以序号为准。第一个时间由下达命令的一方给出；第二个（相差一秒以上时列出）是服务器记录的时间。价格是该座位投入锅底的数额；余码与锅底为事件之后的数额。",
        ),
        "time": Words("time", "时间"),
        "who": Words("who", "谁"),
        "price": Words("price", "价格"),
        "stack": Words("stack", "余码"),
        "pot": Words("pot", "锅底"),
        # argument
        "argument_section": Words("The argument, step by step", "逐步论证"),
        "argument_note": Words(
            "Each step with its arithmetic and what it rests on: the section of the ledger's rules (quoted in section {section}), and the sentence of the rule document where it has one.",
            "每一步附算式及其依据：账本规则的条款（引文见第 {section} 节），以及规则文档中的原句（如有）。",
        ),
        "unexplainable": Words(
            "The events make no hand, so there is no argument and no settlement to show. See the discrepancies.",
            "这些事件构不成一局牌，因此没有论证与结算可列。见差异一节。",
        ),
        "event": Words("event", "事件"),
        "quoted_above": Words(" (quoted above)", "（原句见上）"),
        # settlement
        "settlement_section": Words("Settlement", "结算"),
        "contributed": Words("contributed", "已下"),
        "won": Words("won", "赢得"),
        "refund": Words("refund", "返还"),
        "side": Words("side payments", "赔付"),
        "bonus": Words("bonus", "喜钱"),
        "rake": Words("rake", "抽水"),
        "net": Words("net", "输赢"),
        "together": Words("together", "合计"),
        "house": Words(
            "The house takes {rake} as rake and gives {bonus} as bonuses; the nets of all seats come to {net}.",
            "系统抽水 {rake}，送出喜钱 {bonus}；各座输赢合计 {net}。",
        ),
        "banked": Words("The house keeps {banked} of the antes.", "系统留存底注 {banked}。"),
        "not_settled": Words(
            "There is no settlement: the hand is not settled.", "没有结算：本局未结算。"
        ),
        "bonuses": Words("Bonuses (喜钱)", "喜钱"),
        "no_bonuses": Words("No bonus was granted.", "本局没有喜钱。"),
        "category": Words("for", "牌型"),
        "payer": Words("paid by", "由谁付"),
        "payer_house": Words("the house", "系统"),
        "amount": Words("amount", "数额"),
        # refusals
        "refusals_section": Words("What was refused", "被拒的操作"),
        "refusals_note": Words(
            "Commands that were given and refused. Nothing of them is in the history of the hand.",
            "下达过但被拒的命令。它们没有进入牌局的历史。",
        ),
        "refusals_own": Words(
            "Only those that this player gave, or that were given for this player's seat.",
            "只列该玩家下达的，或为其座位下达的。",
        ),
        "refusals_none": Words("Nothing was refused.", "没有被拒的命令。"),
        "refusals_withheld": Words(
            "Refused commands are not shown to the public.", "被拒的命令不向公众显示。"
        ),
        "asked": Words("asked for", "请求"),
        "code": Words("code", "代码"),
        "message": Words("why", "原因"),
        # claims
        "claims_section": Words("Claims of other systems", "其他系统的申报"),
        "claims_none": Words(
            "No other system's figures are kept beside this hand.", "没有其他系统就本局申报的数字。"
        ),
        "claim_is": Words(
            "{claimant}, at position {position} (event {event})",
            "{claimant}，序号 {position}（事件 {event}）",
        ),
        "claim_agrees": Words(
            "Every figure that it gives is the settlement's own.", "所报的每个数字都与结算一致。"
        ),
        "figure": Words("figure", "项目"),
        "claimed": Words("claimed", "申报"),
        "settled_as": Words("settled", "结算"),
        "difference": Words("difference", "差额"),
        # disputes
        "disputes_section": Words("Disputes", "争议"),
        "no_disputes_long": Words("No dispute about this hand was opened.", "本局没有人提出争议。"),
        "dispute_is": Words("Dispute {dispute}", "争议 {dispute}"),
        "sits": Words("{by} (seat {seat} of this hand)", "{by}（本局 {seat} 号位）"),
        "is_outside": Words("{by} (sat in no seat of this hand)", "{by}（未在本局入座）"),
        "opened_at": Words("opened", "提出时间"),
        "texts_withheld": Words(
            "Its texts are not shown to this viewer.", "其文字内容不向本阅者显示。"
        ),
        "overdue_at": Words("overdue: not ruled when this was made", "逾期：制作时仍未裁定"),
        "evidence_is": Words(
            "Evidence: {name}, {size} bytes, SHA-256 {sha256}",
            "证据：{name}，{size} 字节，SHA-256 {sha256}",
        ),
        "actor": Words("entered by", "录入人"),
        # proof
        "proof_section": Words("The proof, and how to check it", "证明及其检验方法"),
        "no_checkpoint": Words(
            "No checkpoint covers this hand yet, so nothing here can be proven to somebody who does not trust the keeper of the ledger. Have one made (jinhua checkpoint --key …), kept elsewhere, and the dossier made again.",
            "尚无检查点覆盖本局，因此本卷宗无法向不信任账本保管者的人作出证明。请先制作检查点（jinhua checkpoint --key …），另行保存，再重新制作卷宗。",
        ),
        "proof_running": Words(
            "The hand is still running, and its cards could be read from a proof. There is one once the hand is over.",
            "牌局仍在进行，证明会暴露牌面。结束后方可附上。",
        ),
        "note_is": Words(
            "The checkpoint that the proof leads to, as a signed note:",
            "证明所通向的检查点（签注全文）：",
        ),
        "signed_by": Words("Signed by", "签名者"),
        "unsigned": Words(
            "nobody: compare it with a note that was kept elsewhere",
            "无签名：须与另行保存的签注比对",
        ),
        "size": Words("Size (last position)", "大小（末尾序号）"),
        "root": Words("Root hash", "根哈希"),
        "proof_file": Words("Proof file", "证明文件"),
        "proof_digest": Words("SHA-256 of the proof file", "证明文件的 SHA-256"),
        "download": Words(
            "Save {name} ({events} events, {bytes} bytes)",
            "保存 {name}（{events} 个事件，{bytes} 字节）",
        ),
        "printed": Words(
            "On paper and in the PDF the file cannot be saved: it is embedded in the HTML version of this dossier, and `jinhua proof {hand} --out {name}` writes the same bytes.",
            "纸面与 PDF 版无法保存该文件：它嵌在本卷宗的 HTML 版中，`jinhua proof {hand} --out {name}` 也会写出同样的内容。",
        ),
        "check_1": Words(
            "Save the proof file, and compare its SHA-256 with the one above.",
            "保存证明文件，并将其 SHA-256 与上面的核对。",
        ),
        "check_2": Words(
            "Get the public key of the ledger, and the checkpoint above, from somebody else than who gave you this file.",
            "从交给你本文件以外的人那里取得账本的公钥和上述检查点。",
        ),
        "check_3": Words(
            "Run `python3 verify_proof.py {name} --key KEY.pub`: one script with no other part of the ledger (scripts/verify_proof.py).",
            "运行 `python3 verify_proof.py {name} --key KEY.pub`：只需一个脚本（scripts/verify_proof.py），不需要账本的其他部分。",
        ),
        "check_4": Words(
            "It recomputes every hash from the events to the signed root, and adds up every chip. It ends with `proven`, or names the first event that is wrong.",
            "它由事件重新计算直至签名的根哈希，并逐笔核对筹码。结果为已证，或指出第一个有误的事件。",
        ),
        # what it does not prove
        "limits_section": Words("What this file does not prove", "本卷宗不能证明的事"),
        "limit_shuffle": Words(
            "That the deck was shuffled fairly, whatever was committed to.",
            "洗牌是否公平，无论承诺了什么。",
        ),
        "limit_people": Words(
            "Who the people behind the ids are, or who held a player's device.",
            "编号背后是谁，或谁在操作玩家的设备。",
        ),
        "limit_outside": Words(
            "What happened outside the ledger: what a screen showed, whether a connection was lost, or that a time given with a command is right.",
            "账本之外发生的事：屏幕上显示了什么，连接是否中断，命令所附的时间是否准确。",
        ),
        "limit_texts": Words(
            "That the texts of a dispute are true. Of a file of evidence it holds name, size and hash, not the file.",
            "争议中的文字是否属实。证据文件只记名称、大小与哈希，不含文件本身。",
        ),
        "limit_later": Words(
            "Anything after the checkpoint: refusals and disputes are kept in the ledger, and are not part of the proof file.",
            "检查点之后的任何事；被拒的操作和争议记在账本中，不在证明文件之内。",
        ),
        "limit_file": Words(
            "Itself. Whoever passes it on could have changed its words; what counts is the proof, and the ledger from which it can be made again.",
            "它自己。转交者可能改动文字；应以证明以及可重新制作卷宗的账本为准。",
        ),
        # the rules
        "rules_section": Words("The rules cited", "所引规则"),
        "rules_note": Words(
            "From RULES.md of the ledger, to the letter. [I] marks an interpretation: there the rule document is silent or contradicts itself.",
            "摘自账本的 RULES.md（英文原文）。[I] 表示解释：规则文档在此未作规定或自相矛盾。",
        ),
    }
)


def word(lang: Language, name: str) -> str:
    """Return a word or a sentence in a language; fields in it are the caller's to fill in."""
    return WORDS[name].of(lang)


def labels(lang: Language) -> dict[str, str]:
    """Return all of them in a language."""
    return {name: word(lang, name) for name in WORDS}
