// What becomes of one's own data, in Simplified Chinese.

import type { consentEn } from "../en/consent.ts"

/** Part of the Chinese catalogue. */
export const consentZh: typeof consentEn = {
  title: "我的数据",
  lead: "您的数据被用来做什么，您的剂量有多大，以及是否可以继续。您随时可以改变主意。",
  switches: "我的数据可以用于什么？",
  switchHelp: {
    "next-question": "更改从下一个问题起生效。以前已发布的内容不会收回。",
    midnight: "更改从下一个午夜（UTC）起生效。以前已发布的内容不会收回。",
  },
  rule: "您对一种用途的决定，也适用于它所包含的用途，除非您对它们另有决定。",
  yes: "是，会使用",
  no: "否，已排除",
  saidYes: "您已同意",
  saidNo: "您已拒绝",
  saidYesTo: (name) => `因为您同意了“${name}”`,
  saidNoTo: (name) => `因为您拒绝了“${name}”`,
  notSaidYes: "您还没有同意",
  notSaidNo: "您还没有拒绝",
  stillIn: "在午夜（UTC）之前仍会使用。",
  stillOut: "在午夜（UTC）之前仍然排除。",
  leaveAll: "不要把我的数据用于任何用途",
  modes: {
    required: "只使用表示同意的人的数据。",
    "opt-out": "除了表示拒绝的人，所有人的数据都会使用。",
  },
  notAsked: "这里不征求同意",
  notAskedHelp:
    "此数据集的所有者在下面所示的剂量之内使用其中每个人的数据，因此这里没有可以开关的选项。如果您不希望自己的数据被使用，请与所有者联系。",
  saved: (name) => `已保存：${name}`,
  studies: "哪些提问用过您的数据",
  noStudies: "还没有人提过问题。",
  outside: "研究之外的提问",
  study: "研究",
  with: "有您的答案",
  without: "没有您的答案",
  dose: "您至今的剂量",
  doseText: (epsilon, delta) =>
    `最多 ε ${epsilon}（δ ${delta}）。凡是可能用到您数据的答案都计算在内，无论是否属于某项研究。`,
  doseNone: "至今没有任何答案可能用到您的数据，您的剂量为零。",
  odds: "这意味着什么",
  oddsLead: "假设有人对您的某件事作出猜测。无论他多么聪明，全部答案加在一起，也只能把这个猜测改变这么多：",
  from: (before) => `原来 ${before} 的猜测`,
  to: (low, high) => `始终在 ${low} 与 ${high} 之间`,
  history: "您的决定",
  historyEmpty: "您还没有作过更改。",
  notLinked: "此账号没有与任何记录关联。",
  notLinkedHelp: "请联系数据所有者进行关联。",
}
