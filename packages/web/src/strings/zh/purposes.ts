// What data may be used for, in Simplified Chinese, by the codes of the Data Use Ontology.

import type { PurposeTexts } from "../en/purposes.ts"

/** Purposes and conditions by their codes. */
export const purposesZh: PurposeTexts = {
  "DUO:0000004": { name: "无限制", means: "任何用途，无论是否为研究。" },
  "DUO:0000042": { name: "一般研究用途", means: "各种研究，无论是否与健康有关。" },
  "DUO:0000006": {
    name: "健康、医学或生物医学研究",
    means: "关于健康与疾病的研究，不涉及人群的来源。",
  },
  "DUO:0000007": { name: "特定疾病研究", means: "只研究一种指明的疾病。" },
  "DUO:0000011": { name: "人群起源或祖源研究", means: "关于血统以及人群来源的研究。" },
  "DUO:0000012": { name: "仅限指定研究", means: "只用于指明的研究。" },
  "DUO:0000018": { name: "仅限非营利机构的非商业用途", means: "只限不营利的机构，且只限不营利的用途。" },
  "DUO:0000019": { name: "须发表成果", means: "研究所得必须公开发表。" },
  "DUO:0000020": { name: "须合作", means: "须与收集数据的人合作。" },
  "DUO:0000021": { name: "须经伦理批准", means: "须先经伦理委员会同意。" },
  "DUO:0000025": { name: "限定使用期限", means: "只在规定的时间内使用。" },
  "DUO:0000044": { name: "禁止人群起源或祖源研究", means: "不得用于研究血统。" },
  "DUO:0000046": { name: "仅限非商业用途", means: "只限不营利的用途。" },
}
