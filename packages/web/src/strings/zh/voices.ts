// What a community advisory board sees and says, in Simplified Chinese.

import type { voicesEn } from "../en/voices.ts"

/** Part of the Chinese catalogue. */
export const voicesZh: typeof voicesEn = {
  title: "研究提案",
  lead: "想要使用数据的研究，用通俗的语言说明。您的意见是建议：委员会会读到，它记在研究的档案里，并以不具名的方式出现在公开页面上。",
  empty: "没有等待评审或进行中的研究",
  emptyHelp: "提案交给委员会后会出现在这里。",
  purposes: "用途",
  days: "期限",
  people: "可以提问的人数",
  leaves: "答案",
  eachApproved: "每个答案离开之前都要批准",
  atOnce: "立即离开，带有隐藏每个人的噪声",
  dose: "它能说明关于您的什么",
  doseText: (from, to) =>
    `以 ${from} 的把握相信关于您某事的人，无论还知道什么，至多会以 ${to} 的把握相信它。`,
  failure: (chance) => `除 ${chance} 的机会之外都成立。`,
  yours: "您的看法",
  others: "其他成员的看法",
  views: { support: "赞成", concern: "有顾虑", oppose: "反对" },
  comment: "用您自己的话",
  commentHelp: "所有人都能读到，不具名。",
  say: "提交",
  change: "修改",
  said: "您的看法已记录。",
  board: "社区委员会",
  boardHelp: "仅供参考：既不批准也不拒绝。",
  none: "社区委员会还没有发表看法。",
  saying: (name, view) => `${name}：${view}`,
}
