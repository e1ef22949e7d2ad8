// What the parts of several screens say: troubles, the meter, noisy numbers, notes, in Simplified Chinese.

import type { NoteWords } from "@dosimeter/answers/shown/note-words"
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
  noisePart: (noise) => `噪声 ${noise}`,
  bothParts: (noise, leftOut) => `噪声 ${noise}，略去最多 ${leftOut}`,
  showParts: "显示区间的各部分",
  bounding: {
    proven: { word: "已证明", help: "区间涵盖噪声和可能略去的全部：由上限证明。" },
    estimate: { word: "估计", help: "区间涵盖噪声和对略去部分的估计，实际可能更多。" },
    "too-much": { word: "无上端", help: "略去太多，无法说明有多少。" },
    "noise-only": { word: "仅噪声", help: "略去的部分不在区间内。" },
  },
  legendNoise: "仅噪声",
  legendWhole: {
    proven: "加上可能略去的全部（已证明）",
    estimate: "加上略去的部分（估计）",
    "too-much": "无上端：略去太多，无法说明",
  },
  open: "无界",
  unknown: "± 未知",
}

/** Part of the Chinese catalogue. */
export const noteWordsZh: NoteWords = {
  intervals: "区间",
  intervalsOf: (names) => `${names} 的区间`,
  andMore: (names, more) => `${names} 等（另有 ${more} 列）`,
  between: "、",
  betweenBounds: "；",
  proven: (which) => `${which}涵盖噪声，以及按声明的上限缩小时可能略去的全部`,
  estimate: (which) => `${which}涵盖噪声，以及对缩小时略去部分的估计；实际可能更多`,
  tooMuch: (which) => `${which}没有上端：缩小时略去的可能太多，无法可靠估计`,
  noiseOnly: (which, why) => `${which}只涵盖噪声：${why}`,
  earlier: "以往发布的界限所略去的不在其中",
  bounding: "界限所略去的不在其中",
  notInThem: (bounds) => `${bounds}，这些不在其中`,
  scaledRows: (rows, groups, unit) =>
    `每个 ${unit} 在 ${groups} 个组中每组超过 ${rows} 行的部分按较小的权重计入`,
  scaledRowsInAll: (rows, unit) => `每个 ${unit} 超过 ${rows} 行的部分按较小的权重计入`,
  averagedRows: (rows, unit) =>
    `每个 ${unit} 在一个组中超过 ${rows} 行时按 ${rows} 行计入，总行数较多者按较小的权重计入`,
  scaledRow: (groups, unit) => `每个 ${unit} 在 ${groups} 个组中每组超过一行的部分按较小的权重计入`,
  droppedBoth: (groups, rows, unit) => `每个 ${unit} 超过 ${groups} 个组、每组超过 ${rows} 行的部分不计入`,
  droppedGroups: (groups, unit) => `每个 ${unit} 超过 ${groups} 个组的部分不计入`,
  droppedRows: (rows, unit) => `每个 ${unit} 超过 ${rows} 行的部分不计入`,
  averages: "平均值只针对计入的行，可能与全部行的平均值不同",
  hidden: (hidden, rows, from) =>
    `${rows} 行中有 ${hidden} 行低于所有者规定的 ${from}，不予显示：因此显示出来的小数值看起来偏大`,
}
