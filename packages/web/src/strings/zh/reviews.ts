// The reviews, in Simplified Chinese.

import type { reviewsEn } from "../en/reviews.ts"

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
