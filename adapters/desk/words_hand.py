"""The texts of a hand's page, in both languages side by side; wording.py joins them to the others."""

# ruff: noqa: E501 - a sentence stays on one line

from collections.abc import Mapping
from typing import Final

from adapters.hand_words import DEAL_REASONS, DEEDS, PARTS, STATES
from domain.grounds import Words
from domain.zhajinhua.phrases import sentence_case

HAND: Final[Mapping[str, Words]] = {
    **{f"state.{state}": said for state, said in STATES.items()},
    # the head
    "hand.title": Words("Hand {hand}", "牌局 {hand}"),
    "hand.rulebook": Words("{name}, {id} version {version}", "{name}，{id} 第 {version} 版"),
    "hand.view": Words("Seen as", "视角"),
    "hand.view.auditor": Words("an auditor", "审计员"),
    "hand.view.public": Words("anybody", "旁观"),
    "hand.view.seat": Words("seat {seat}", "{seat} 号位"),
    # the verdict
    "hand.agrees": Words("Every figure agrees", "逐项复核一致"),
    "hand.agrees_about": Words(
        "All {events} events were decided again from the facts before them, under {rulebook}. The rules give what is recorded.",
        "{events} 个事件已按 {rulebook} 逐一重新推算，规则所得与账上所记完全一致。",
    ),
    "hand.parts": Words(
        "{count} recorded figures are not what the rules give", "账上有 {count} 处与规则不符"
    ),
    "hand.parts_one": Words(
        "A recorded figure is not what the rules give", "账上有 1 处与规则不符"
    ),
    "hand.parts_about": Words(
        "All {events} events were decided again from the facts before them. Where they part:",
        "{events} 个事件已逐一重新推算，不符之处：",
    ),
    "hand.claim_parts": Words(
        "The hand agrees with the rules; a claimed settlement does not",
        "本局与规则一致；外部申报的结算与之不符",
    ),
    "hand.claim_parts_about": Words(
        "All {events} events were decided again. What a foreign system claims differs in {count} figures:",
        "{events} 个事件已逐一重新推算。外部系统的申报有 {count} 处不同：",
    ),
    "hand.runs": Words("The hand is running", "牌局进行中"),
    "hand.runs_about": Words(
        "Nobody is shown a card before it ends.", "结束之前，任何人都看不到牌。"
    ),
    "hand.runs_own": Words("The hand is running", "牌局进行中"),
    "hand.runs_own_about": Words(
        "You see your own cards once you have looked, and nobody else's before the hand ends.",
        "看牌之后可以看到自己的牌；结束之前看不到别人的牌。",
    ),
    "hand.is_void": Words("The hand is void", "本局作废"),
    "hand.is_void_about": Words(
        "It does not count: every chip went back to the seat that it came from. Its {events} events agree with the rules.",
        "本局不计，各家已下的筹码全部退回。{events} 个事件与规则一致。",
    ),
    "hand.withheld": Words("withheld while the hand runs", "牌局结束后才显示"),
    "hand.broken": Words(
        "From event {step} on, what is recorded leads nowhere; the replay ends before it.",
        "从第 {step} 个事件起，账上所记无法推演，回放到此为止。",
    ),
    "hand.deck.proven": Words("Deal proven", "发牌已证"),
    "hand.deck.not_proven": Words("Deal not proven", "发牌未证"),
    "hand.deck.absent": Words("No deck commitment", "无牌序承诺"),
    **{
        f"hand.deck_why.{reason}": Words(f"{sentence_case(said.en)}.", f"{said.zh}。")
        for reason, said in DEAL_REASONS.items()
    },
    "hand.where": Words("Event", "事件"),
    "hand.event": Words("Event {step}", "第 {step} 个事件"),
    "hand.what": Words("Figure", "项目"),
    "hand.recorded": Words("Recorded", "账上所记"),
    "hand.derived": Words("By the rules", "规则所得"),
    "hand.rule": Words("Rule", "规则"),
    # disputes
    "hand.disputes": Words("Disputes about this hand", "关于本局的争议"),
    "hand.dispute_due": Words("due {due}", "期限 {due}"),
    # the table
    "hand.replay": Words("Replay", "回放"),
    "hand.pot": Words("Pot", "锅底"),
    "hand.round": Words("round {round}", "第 {round} 轮"),
    "hand.stake": Words("stake {stake}", "单注 {stake}"),
    "hand.dealer": Words("D", "庄"),
    "hand.dealer_is": Words("dealer", "庄家"),
    "hand.blind": Words("blind", "闷牌"),
    "hand.seen": Words("seen", "已看牌"),
    "hand.is_out": Words("out", "出局"),
    "hand.won": Words("wins", "赢"),
    "hand.all_in": Words("all-in", "全押"),
    "hand.on_turn": Words("to act", "待行动"),
    "hand.dot": Words(" · ", " · "),
    "hand.face_down": Words("face down", "未亮"),
    "hand.cards_are": Words("{faces} {category}", "{faces} {category}"),
    "hand.cause": Words(
        "Position {position}, {time}, by {actor}, command {command}",
        "序号 {position}，{time}，操作者 {actor}，命令 {command}",
    ),
    "hand.wrong_here": Words("does not agree", "与规则不符"),
    "hand.who": Words("Seat {seat} ({player})", "{seat} 号位 {player}"),
    "hand.does": Words("{who} {deed}", "{who} {deed}"),
    "hand.and": Words("{first}; {then}", "{first}，{then}"),
    "hand.out": PARTS["out"],
    "hand.none_out": PARTS["none_out"],
    "hand.listed": PARTS["listed"],
    "hand.timed_out": PARTS["timed_out"],
    "hand.deed_price": Words("{deed} {price}", "{deed} {price}"),
    **{f"hand.deed.{kind}": said for kind, said in DEEDS.items()},
    # but for what the drawing shows
    "hand.deed.opened": Words("The hand opens", "开局"),
    "hand.deed.cards_dealt": Words("Three cards are dealt to each seat", "每家发三张牌"),
    "hand.deed.bonus_granted": Words("gets bonus {amount}", "得喜钱 {amount}"),
    # on a plate, where there is less room
    "hand.plate.ante_posted": Words("antes", "底注"),
    "hand.plate.bet_raised": Words("raises to {amount}", "加注到 {amount}"),
    "hand.plate.hands_compared": Words("compares {other}", "比 {other} 号"),
    "hand.plate.hands_compared_last_stand": Words("duels {other}", "孤注比 {other} 号"),
    "hand.plate.hands_compared_forced": Words("must duel {other}", "强制比 {other} 号"),
    "hand.plate.hands_compared_shove": Words("duels {other}", "应战比 {other} 号"),
    "hand.plate.last_stand_taken": Words("last stand", "孤注一掷"),
    "hand.plate.all_in_taken": Words("all-in", "全押"),
    "hand.plate.bonus_granted": Words("bonus {amount}", "喜钱 {amount}"),
    "hand.seat_n": Words("seat {seat}", "{seat} 号位"),
    # what is asked for
    "hand.kind.open_hand": Words("to open the hand", "开局"),
    "hand.kind.void_hand": Words("to void the hand", "作废"),
    "hand.kind.disclose_deck": Words("to disclose the deck", "公开牌序"),
    "hand.kind.act_many": Words("several actions", "一组操作"),
    "hand.kind.claim_settlement": Words("to claim a settlement", "申报结算"),
    "hand.verb.look": Words("look", "看牌"),
    "hand.verb.call": Words("call", "跟注"),
    "hand.verb.raise": Words("raise to {amount}", "加注到 {amount}"),
    "hand.verb.compare": Words("compare with {other}", "与 {other} 号比牌"),
    "hand.verb.fold": Words("fold", "弃牌"),
    "hand.verb.timeout": Words("time out", "超时"),
    "hand.verb.all_in": Words("all-in", "全押"),
    "hand.verb.top_up": Words("top up {amount}", "补注 {amount}"),
    "hand.verb.fold_all": Words("everyone folds", "全部弃牌"),
    "hand.table_sets.ante": Words("ante", "底注"),
    "hand.table_sets.max_stake": Words("stake up to", "单注上限"),
    "hand.table_sets.round_limit": Words("rounds up to", "最多轮数"),
    "hand.table_sets.top_ups": Words("top-ups", "补注次数"),
    "hand.table_sets.chain": Words("further raises", "连注"),
    "hand.table_sets.blind_limit": Words("blind bets", "闷牌次数"),
    "hand.table_sets.suits": Words("suits part ties:", "花色分大小："),
    "hand.table_sets.a23": Words("A-2-3 a straight:", "A23 算顺子："),
    "hand.table_sets.push_antes": Words("antes for a tie", "平局赔付底注"),
    "hand.table_sets.blind_all_in_duel": Words("blind all-in duels:", "闷牌全押即比："),
    "hand.table_sets.sweep": Words("sweep:", "通杀通赔："),
    "hand.table_sets.wangzha": Words("four of a kind:", "王炸："),
    "hand.table_sets.multiples_pct": Words("multiples, hundredths:", "倍数（百分之一）："),
    # going from step to step
    "hand.controls": Words("Step through the hand", "逐步回放"),
    "hand.first": Words("First step", "第一步"),
    "hand.previous": Words("Previous step", "上一步"),
    "hand.next": Words("Next step", "下一步"),
    "hand.last": Words("Last step", "最后一步"),
    "hand.play": Words("Play", "播放"),
    "hand.pause": Words("Pause", "暂停"),
    "hand.pace": Words("Pace", "速度"),
    "hand.jump": Words("Jump to a step", "跳到某一步"),
    "hand.go": Words("Go", "跳转"),
    "hand.step_of": Words("step {step} of {steps}", "第 {step} 步，共 {steps} 步"),
    "hand.keys": Words("Keys", "按键"),
    "hand.keys_step": Words("step", "逐步"),
    "hand.keys_ends": Words("first, last", "首步、末步"),
    "hand.keys_play": Words("play, pause", "播放、暂停"),
    "hand.keys_jump": Words("a number and Enter: jump", "数字加回车：跳转"),
    "hand.space": Words("Space", "空格"),
    "hand.course": Words("Course of the hand", "牌局经过"),
    "hand.argument": Words("Why, and by which rule", "推算与依据"),
    "hand.refused_here": Words("refused: {code}", "拒绝：{code}"),
    "hand.price": Words("Price", "付出"),
    "hand.no_frames": Words(
        "The events make no hand that could be replayed.", "这些事件构不成可以回放的牌局。"
    ),
    # the seats
    "hand.seats": Words("Seats after this step", "本步之后各座位"),
    "hand.seat": Words("Seat", "座位"),
    "hand.cards": Words("Cards", "牌"),
    "hand.status": Words("State", "状态"),
    "hand.put_in": Words("Put in", "已下"),
    "hand.stack": Words("Stack", "余码"),
    "hand.did": Words("Last", "最近操作"),
    # by rounds
    "hand.rounds": Words("By rounds", "逐轮明细"),
    "hand.rounds_about": Words(
        "What each seat put in, round by round, and what it did.", "各家每轮投注金额与操作。"
    ),
    "hand.antes": Words("Antes", "底注"),
    "hand.round_n": Words("Round {round}", "第 {round} 轮"),
    "hand.looked": Words("looked", "看牌"),
    "hand.folded": Words("folded", "弃牌"),
    "hand.beaten": Words("beaten", "比牌负"),
    "hand.met.won": Words("beat {other}", "比 {other} 号，胜"),
    "hand.met.lost": Words("lost to {other}", "比 {other} 号，负"),
    "hand.met.tied": Words("equal to {other}", "比 {other} 号，平"),
    "hand.met_by_rule": Words("{met}, by rule", "{met}（强制）"),
    "hand.figure.contributed": Words("Put in", "已下"),
    "hand.figure.won": Words("Won", "赢得"),
    "hand.figure.refund": Words("Refund", "返还"),
    "hand.figure.side": Words("Side", "赔付"),
    "hand.figure.bonus": Words("Bonus", "喜钱"),
    "hand.figure.rake": Words("Rake", "抽水"),
    "hand.figure.net": Words("Net", "输赢"),
    "hand.figure.pot": Words("Pot", "锅底"),
    "hand.figure.rounds": Words("Rounds", "轮数"),
    "hand.figure.winners": Words("Winners", "赢家"),
    "hand.figure.house_bonus": Words("Bonuses", "系统喜钱"),
    "hand.figure.house_banked": Words("Banked", "系统留存"),
    "hand.total": Words("Total", "合计"),
    # claims
    "hand.claims": Words("Claimed and derived", "申报与推算"),
    "hand.claim_of": Words("{claimant} claims", "{claimant} 的申报"),
    "hand.rules_give": Words("The rules give", "按规则推算"),
    "hand.claim_agrees": Words(
        "Every figure that {claimant} claims is what the rules give.",
        "{claimant} 所报的各项与规则推算一致。",
    ),
    "hand.claim_differs": Words(
        "{claimant} claims {count} figures that the rules do not give.",
        "{claimant} 所报有 {count} 处与规则推算不符。",
    ),
    "hand.differs": Words("differs", "不符"),
    "hand.not_claimed": Words("not claimed", "未报"),
    # refusals
    "hand.refusals": Words("Refused commands", "被拒绝的命令"),
    "hand.refusals_about": Words(
        "Kept beside the history. They have a time, but no place among the events: the step named is the last one before, by the clock.",
        "存于账外。它们只有时间，在事件之间没有序号；所标步骤按时钟是它之前的最后一步。",
    ),
    "hand.no_refusals": Words("Nothing was refused.", "没有被拒绝的命令。"),
    "hand.time": Words("Time", "时间"),
    "hand.by": Words("By", "由"),
    "hand.asked": Words("Asked for", "请求"),
    "hand.code": Words("Code", "代码"),
    "hand.why": Words("Why", "原因"),
    "hand.after_step": Words("After", "在此之后"),
    "hand.before_all": Words("the opening", "开局之前"),
    # what if
    "hand.whatif": Words("What if", "换一种规则"),
    "hand.whatif_about": Words(
        "The same cards, carries and actions under another rulebook, or with single rules changed. Nothing is recorded.",
        "牌、携带与操作不变，改按另一种规则，或只改其中几条。试算不入账。",
    ),
    "hand.whatif_rulebook": Words("Rulebook", "规则"),
    "hand.whatif_rules": Words("Change single rules", "修改单条规则"),
    "hand.whatif_as_is": Words("as it is", "不变"),
    "hand.whatif_try": Words("Try it", "试算"),
    "hand.whatif_tried": Words("Tried under {other}", "改按 {other}"),
    "hand.whatif_changed": Words("Changed: {changes}", "改动：{changes}"),
    "hand.whatif_left_out": Words("{other} knows nothing of: {names}", "{other} 没有：{names}"),
    "hand.whatif_not_drawn": Words(
        "Bonuses that were drawn are not known under {other}; none is granted.",
        "抽出的喜钱在 {other} 下无从得知，不计。",
    ),
    "hand.whatif_hand_over": Words(
        "The hand would have ended before {where}.", "牌局在此之前已经结束：{where}。"
    ),
    "hand.whatif_hand_not_over": Words(
        "The hand would not have ended: {why}.", "牌局尚未结束：{why}。"
    ),
    "hand.whatif_illegal": Words(
        "Not legal at {where}: {why}.", "在此处不合规则：{where}：{why}。"
    ),
    "hand.whatif_opening": Words("the opening", "开局"),
    "hand.whatif_settlement": Words("the settlement", "结算"),
    "hand.whatif_standing": Words(
        "Play had come to round {round}, stake {stake}, pot {pot}.",
        "进行到第 {round} 轮，单注 {stake}，锅底 {pot}。",
    ),
    "hand.whatif_refused": Words("This cannot be tried: {why}", "无法试算：{why}"),
    "hand.paid": Words("Paid", "实际"),
    "hand.would": Words("Would be", "改按"),
    "hand.difference": Words("Difference", "差额"),
    "hand.claimed": Words("Claimed", "申报"),
    "hand.same": Words("No seat would come to anything else.", "各家结果不变。"),
    "hand.back": Words("Back to the hand", "回到牌局"),
    # where else
    "hand.evidence": Words("Evidence", "依据"),
    "hand.opened_at": Words("Opened", "开局时间"),
    "hand.positions": Words("Positions", "序号"),
    "hand.digest": Words("Rulebook digest", "规则摘要"),
    "hand.commitment": Words("Deck commitment", "牌序承诺"),
    "hand.table_rules": Words("Table", "牌桌"),
    "hand.dossier": Words("Dossier", "卷宗"),
    "hand.dossier_about": Words(
        "all there is about the hand in one file, disputes and proof included",
        "本局全部材料合成一个文件，含争议与证明",
    ),
    "hand.proof_file": Words("Proof file", "证明文件"),
    "hand.proof_about": Words(
        "checks offline, with one script and the public key", "凭一个脚本与公钥即可离线核对"
    ),
    "hand.proof_later": Words("once the hand is over", "本局结束后可下载"),
    "hand.proof_uncovered": Words(
        "no checkpoint covers the hand yet; the next one will",
        "尚无检查点覆盖本局，下一个检查点即会覆盖",
    ),
    "hand.trail": Words("Event by event", "逐条事件"),
    "hand.as_json": Words("As JSON", "JSON"),
}
