// The texts of what can be wanted of a question, in Simplified Chinese.

import type { wantedEn } from "./wanted-en.ts"

/** Part of the Chinese catalogue. */
export const wantedZh: typeof wantedEn = {
  within: "要达到的误差",
  wrong: {
    epsilon: "Epsilon 应是一个数，例如 0.5。",
    within: "要达到的误差应是一个数，例如 50，或一个比例，例如 5%。",
    groupsPerUnit: "组数应是从 1 起的整数，或 auto。",
    rowsPerGroup: "每组的行数应是从 1 起的整数。",
    weights: "权重应写成列名和数，例如 persons=2, visits=0.5。",
  },
  withinHelp: "代替 epsilon：写 50（以答案的单位计）或 5%。只花费达到它所需的最少预算。",
  groupsHelp: (usual, most) => `留空为 ${usual}，最多 ${most}；写 auto 则先学习`,
  weights: "各列的权重",
  weightsHelp: "各列误差的重要程度：persons=2, visits=0.5；留空为 1",
  bounds: "数值的界限",
  boundsWords: {
    usual: "按照政策",
    auto: "学习未声明的界限",
    all: "学习全部界限",
    declared: "不学习",
  },
  reuse: "以往的发布",
  reuseWords: {
    auto: "同样准确时由其回答",
    always: "能回答时总由其回答",
    never: "不由其回答：付费",
  },
  bias: "估计界限舍去了多少，占用五分之一的预算",
  nonNegative: "ROLLUP 等的计数取不小于 0 的整数",
  noQuantileIntervals: "分位数不带区间，预算全部用于数值",
  looks: (epsilon, more, most) =>
    `先以 epsilon ${epsilon} 查看答案的大小（若仍不足，再以 ${more} 查看）；随后花费达到误差所需的最少预算，最多 epsilon ${most}。`,
  reached: (inside, all) => `${all} 个组中有 ${inside} 个达到所要的误差。`,
}
