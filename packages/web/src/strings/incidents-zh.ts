// 警报的文字，简体中文。

import type { incidentsEn } from "./incidents-en.ts"

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
