// The reviews of the committee, and the views of the community, in Simplified Chinese.

import type { reviewsEn, voicesEn } from "../en/reviews.ts"

/** Part of the Chinese catalogue. */
export const reviewsZh: typeof reviewsEn = {
  title: "评审",
  lead: "等待委员会评审的研究。需要两人同意；一人拒绝即为拒绝。不能评审自己的研究。",
  empty: "没有等待评审的研究",
  emptyHelp: "有研究提交时，会出现在这里。",
  approve: "同意",
  refuse: "拒绝",
  reviewedByYou: "您已评审。还需要另一位成员。",
  done: (name) => `您对 ${name} 的评审已记录`,
  check: "作出决定之前",
  checks: ["用途是否符合人们所同意的范围？", "预算份额与要问的内容是否相称？", "人员和日期是否正确？"],
  airlock: "等待批准的答案",
  airlockHelp: "您看到的就是将要送出的答案，已经加噪。",
  askedBy: (who, study) => `${who} 在 ${study} 中提问`,
  look: "查看答案",
}

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
