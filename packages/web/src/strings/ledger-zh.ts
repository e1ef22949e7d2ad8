// 账本被拒绝时的文字。

import type { ledgerEn } from "./ledger-en.ts"

/** The texts in Simplified Chinese. */
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
