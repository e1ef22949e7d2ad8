// The budget, with what went wrong with its ledger, in Simplified Chinese.

import type { budgetEn, ledgerEn, incidentsEn } from "../en/budget.ts"

/** Part of the Chinese catalogue. */
export const budgetZh: typeof budgetEn = {
  title: "预算",
  lead: "每一个答案都在这里累计。用完之后，就不能再提问。",
  dataset: "整个数据集",
  studies: "研究",
  analysts: "分析员",
  share: "份额",
  spent: "已用",
  left: "剩余",
  fits: "还可以问",
  burnDown: "使用经过",
  burnDownText: (count) => `从第一笔起，共 ${count} 笔`,
  limit: "数据所有者的上限",
  promise: (epsilon, delta) => `数据所有者承诺：全部答案合计不超过 ε ${epsilon}（δ ${delta}）。`,
  odds: "这意味着什么",
  none: "还没有使用过预算。",
  noneHelp: "第一个问题会在这里画出第一步。",
  accounting: { pure: "epsilon", zcdp: "rho（zCDP）", gdp: "mu 平方（高斯）" },
  raise: "申请增加",
  raiseAmount: "新的份额（ε）",
  raiseWhy: "理由",
  raiseDone: "已申请。还需要另一人同意。",
  raiseDoneByOthers: "已申请。需要两人同意。",
  requests: "增加预算的申请",
  noRequests: "还没有人申请增加。",
  accountNames: {
    study: (name) => `研究 ${name}`,
    analyst: (name) => `分析员 ${name}`,
  },
  agree: "同意",
  disagree: "拒绝",
  requestBy: (who, to) => `${who} 申请 ε ${to}`,
  requestStates: { open: "等待中", granted: "已批准", refused: "已拒绝" },
  agreed: (who) => `${who} 同意`,
  disagreed: (who) => `${who} 拒绝`,
  twoNeeded: "需要两人同意，且不能为自己同意。",
}

/** Part of the Chinese catalogue. */
export const ledgerZh: typeof ledgerEn = {
  title: "现在不能扣除任何预算",
  acknowledge: "账本的条目，或记住它们的锚点，已经丢失。",
  rebind: "策略对隐私损失的说法与账本不同。",
  other: "须由运维人员检查账本。",
  twoNeeded: "由两人决定如何继续：所有者和委员会成员，至少一人属于委员会。",
  share: "视为已用的份额（占预算的比例）",
  shareHelp: "例如 40%。留空则全部预算视为已用。",
  ask: "申请决定",
  asked: "已申请。还需要另一人同意。",
  wanted: (who, share) => `${who}：预算的 ${share} 视为已用`,
  all: "全部",
  entered: "已写入账本。",
  inside: "锚点放在账本旁边。若恢复整个状态的旧备份，将无法察觉：请在策略中（anchor）指定别处。",
}

/** Part of the Chinese catalogue. */
export const incidentsZh: typeof incidentsEn = {
  title: "有问题在扣除之后失败",
  lead: "这本不该发生：问题失败本身可能透露数据，而没有噪声掩盖它。请查明原因，然后确认。",
  one: (position) => `条目 ${position}`,
  closesDoor: (name) => `在此之前，不再回答 ${name} 的新问题。`,
  closesApprovals: (study) => `提问者得知的是答案在等待批准；在此之前，不能批准 ${study} 的任何发布。`,
  causes: {
    database: "数据库失败",
    time: "用时过长",
    extract: "不可能的结果",
    bug: "程序错误",
    lost: "进程终止",
    cancelled: "已停止",
    unknown: "原因不明",
  },
  acknowledge: "确认",
  sure: "您确认已查明失败的原因，并且它没有透露数据。它所关闭的将立即重新开放。",
  reason: "理由",
  reasonHelp: "会写入账本和审计记录。",
  failed: "它失败了：没有可批准的内容。提问者并不知情；请拒绝它，且不要说明失败。",
}
