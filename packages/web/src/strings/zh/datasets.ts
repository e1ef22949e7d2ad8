// The datasets, in Simplified Chinese.

import type { dataEn } from "../en/datasets.ts"

/** Part of the Chinese catalogue. */
export const dataZh: typeof dataEn = {
  title: "数据集",
  lead: "数据所有者所声明的内容，用平实的话写成。这里没有任何内容来自数据本身。",
  protects: (unit) => `每一个 ${unit} 连同其全部记录，作为整体受到保护。`,
  neighbours: {
    "add-or-remove": "所显示的内容几乎不取决于其中某一个是否在数据里。",
    replace: "所显示的内容几乎不取决于其中某一个的记录是什么。",
  },
  budget: (epsilon, delta) => `全部答案合计不超过 ε ${epsilon}（δ ${delta}）。`,
  question: (usual, most) => `一个问题默认花费 ε ${usual}，最多 ${most}。`,
  norm: {
    auto: (unit) =>
      `公开分组中的计数与总和：超过某个范数的人会整体缩小到该范数。若不另作说明，先学习每个 ${unit} 最多可计入多少。`,
    fixed: (unit) => `公开分组中的计数与总和：超过每个 ${unit} 的组数和行数之范数的人会整体缩小到该范数。`,
  },
  bounding: (unit, groups, rows) =>
    `其他情况下若不另作说明，一个 ${unit} 最多计入 ${groups} 个组，每组最多 ${rows} 行。`,
  shownFrom: (count) => `加噪之后小于 ${count} 的计数显示为“低于阈值”。`,
  slot: (ms) => `答案只在 ${ms} 毫秒的整数倍时刻送出，等待时间不泄露任何信息。`,
  studies: "每个问题都属于一项经委员会批准的研究。",
  tables: "数据表",
  kinds: { private: "隐私", public: "公开" },
  unitBy: (unit, path) => `每一行通过 ${path} 归属于一个 ${unit}`,
  column: "列",
  type: "类型",
  bounds: "声明",
  between: (low, high) => `${low} 至 ${high}`,
  oneOf: (values) => `取值为 ${values}`,
  andMore: (count) => `等 ${count} 个`,
  freeText: "自由文本：不能用来分组",
  references: (target) => `指向 ${target}`,
  filter: "查找表或列",
  nothingFound: "没有这个名字的表或列。",
  risk: {
    title: "风险报告",
    lead: "能否在这张表中找出某个人？报告会逐一清点，并对常见的发布规则进行攻击。",
    warning: "报告是精确的，不受隐私保护：仅供所有者使用，应与数据一样保密。",
    quasi: "外人可能知道的列",
    quasiHelp: "列名之间用逗号分隔；留空则按名称建议。",
    sensitive: "任何人都不应得知的列",
    person: "表示行属于谁的列",
    personHelp: "当一个人有多行时填写；留空则按策略文件。",
    second: "有部分相同列的另一个文件",
    secondHelp: "带表头的 CSV，至多 8 MB：登记册、选民名单、去年的发布。",
    pairs: "在那里名称不同的列",
    pairsHelp: "本表的列、等号、对方的列：age=years, zip=postcode。",
    limits: "报告读取文件；PostgreSQL 的表会在生成期间临时复制；Trino 的表需要先导出。",
    make: "生成报告",
    making: "正在清点；大表需要约一分钟。",
    saved: (file: string) => `已保存为 ${file}。`,
  },
  columns: (count) => `${count} 列`,
}
