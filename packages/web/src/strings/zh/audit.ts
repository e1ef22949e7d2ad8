// The audit trail, in Simplified Chinese.

import type { auditEn } from "../en/audit.ts"

/** Part of the Chinese catalogue. */
export const auditZh: typeof auditEn = {
  title: "审计",
  lead: "谁在什么时候做了什么。每一条都由后一条封存。",
  who: "人员",
  what: "事项",
  anything: "全部",
  about: "对象",
  from: "起始",
  to: "截止（不含）",
  search: "查找",
  when: "时间",
  facts: "详情",
  count: (count) => `${count} 条`,
  newest: (count) => `最新的 ${count} 条记录，还有更早的`,
  older: "显示更早的记录",
  verify: "检查链条",
  sound: "每一条都仍与之前全部内容的哈希一致。",
  broken: (position) => `链条在第 ${position} 条处断开。`,
  export: "导出",
  empty: "没有找到记录",
  emptyHelp: "请放宽查找条件。",
}
