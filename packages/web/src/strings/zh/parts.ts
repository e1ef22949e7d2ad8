// What the parts of several screens say: troubles, the meter, noisy numbers, in Simplified Chinese.

import type { troubleEn, meterEn, numberEn } from "../en/parts.ts"

/** Part of the Chinese catalogue. */
export const troubleZh: typeof troubleEn = {
  refused: "请求被拒绝",
  invalid: "这样不行",
  unsupported: "无法证明其隐私性",
  unavailable: "暂时不可用",
  bug: "系统出错了",
  offline: "无法连接服务器。没有任何损失，请稍后重试。",
  signedOut: "会话已结束。请重新登录，没有任何损失。",
  whatToDo: "可以这样做",
  free: "没有扣除任何预算。",
}

/** Part of the Chinese catalogue. */
export const meterZh: typeof meterEn = {
  dose: "剂量",
  spent: "已用",
  now: "本次提问",
  left: "剩余",
  ofEpsilon: (spent, all) => `ε ${spent} / ${all}`,
  doesNotFit: "预算已不够",
  used: (share) => `已用 ${share}`,
  ofDataset: "整个数据集",
  ofStudy: (name) => `研究 ${name}`,
  ofAnalyst: "您自己的份额",
  addsUp: (name) => `刻度条按 ${name} 计量，它在各个问题之间可以相加。ε 是总和所对应的值，本身不能相加。`,
  twoRunOut: (loss, delta) => `有两样东西会用尽：${loss}，${delta}。刻度条显示的是先用尽的那一样。`,
  text: (spent, now, left) => `已用 ${spent}，本次提问 ${now}，剩余 ${left}`,
  textShort: (spent, left) => `已用 ${spent}，剩余 ${left}`,
  fits: (count) => `之后还可以问 ${count} 个同样的问题`,
  fitsNone: "之后不能再问同样的问题",
  defaultFits: (count) => `还可以问 ${count} 个默认价格的问题`,
  defaultFitsNone: "已不能再问默认价格的问题",
}

/** Part of the Chinese catalogue. */
export const numberZh: typeof numberEn = {
  below: "低于阈值",
  belowHelp: "数值太小，不予显示。它不是零，也不是缺失。",
  nothing: "无值",
  ends: (low, high) => `在 ${low} 与 ${high} 之间`,
  noiseAlone: (low, high) => `仅计噪声时在 ${low} 与 ${high} 之间`,
  between: (low, high, sure) => `在 ${low} 与 ${high} 之间，置信度 ${sure}`,
  open: "无界",
  unknown: "± 未知",
}
