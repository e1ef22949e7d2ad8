// The chapters of the Lab about many answers, and what they tell together. In Chinese.

import type { manyEn } from "../../en/lab/many.ts"

/** Composition, parallel, post, classes. */
export const manyZh: typeof manyEn = {
  composition: {
    title: "问题会累加",
    idea: "对同一群人每多问一个问题，损失就增加一点，所以才有预算。把 ε 直接相加总是对的，但很少是最紧的：问题多时，其他加法在一个极小的 δ 下给出更小的总和。在这里，再问同一个问题不花费什么，因为会给出已记录的答案。",
    questions: "以此 ε 提问的次数",
    axis: "问题数",
    plain: "ε 直接相加",
    byRho: "按 rho 相加，δ 1e-7",
    text: (count, total) => `${count} 个问题合计 ε ${total}：取两条线中较低的一条，因为两者都成立。`,
    belief: (before, after) => `如果是直线成立，${before} 的看法在全部问题之后可能升到 ${after}。`,
    compare: "比较所有加法",
    table: (count, epsilon) => `${count} 个计数，每个 ε ${epsilon} 的拉普拉斯噪声，合计在 δ 1e-7 处`,
    accountant: "加法",
    adaptive: "问题取决于先前答案、到预算为止时是否成立",
    yes: "是",
    no: "否，只对事先定好的清单成立",
    accountants: {
      basic: "ε 直接相加",
      advanced: "高级组合",
      optimal: "对任何此 ε 的机制最好的界",
      zcdp: "rho 相加（zCDP）",
      gdp: "mu 平方相加（GDP）",
      renyi: "Rényi 曲线",
      pld: "隐私损失分布",
    },
    exercise: {
      ask: "100 个 ε 为 0.1 的计数，在 δ 为 1e-7 时按 rho 相加，合计是多少？",
      right: (answer) => `${answer}，而直接相加是 10。`,
      hint: "把 ε 设为 0.1，问题数设为 100，看较低的那条线。",
    },
    proof:
      "独立抽取的对数比相加，所以 ε 相加。平均而言对数比远小于它的上界：纯 ε 至多是 ε²/2-zCDP，而 rho 可以相加，即使问题取决于先前的答案。于是 ε(δ) = ρ + 2√(ρ ln(1/δ)) 随问题数的平方根增长。整个和的分布还要更紧，但只对事先定好的清单成立。",
  },
  parallel: {
    title: "没有共同成员的组",
    idea: "按年龄的计数表有许多数字，但每个人只在其中一个里。一个人只影响一个数字，所以整张表只花费一个数字的代价。如果一个人可以在几个组里（例如诊断），代价就是那么多倍，而且方案必须证明是几个。",
    groups: "表中的组数",
    most: "一个人至多在几个组里",
    one: "一个组",
    table: "整张表",
    added: "如果相加",
    text: (groups, real, plain) =>
      `一张有 ${groups} 个组的表，每组以 ε 0.5 计数：花费 ${real}；把所有组相加会得到 ${plain}。`,
    exercise: {
      ask: "一张表按诊断统计病人，每个计数 ε 0.5；一个病人至多有三个诊断。整张表花费多少？",
      right: (answer) => `${answer}，无论表中有多少个诊断。`,
      hint: "数一数一个病人能影响几个数字。",
    },
    proof:
      "设各组是没有共同成员的人群。增加一个人只改变一个组，其他组的抽取在有他和没有他时分布相同。所以整张表的概率之比就是一个组的：e^ε。如果一个人至多在 k 个组里，就是 k 个比相乘。",
  },
  post: {
    title: "对答案再作处理不花费什么",
    idea: "带噪声的数字可能与常识矛盾：女性加男性不等于全体，计数是负的，累计数下降。从已经发布的答案推算出来、而不再看数据的任何东西，都不会增加损失。所以把数字移到最近的合理位置，它们因此变得更准。",
    draw: "重新抽取",
    table: "按性别的病人数",
    group: "组",
    groups: ["女", "男", "其他", "全体"],
    exact: "精确",
    noisy: "加噪",
    mended: "调整后",
    day: "天",
    total: "累计病例",
    text: (deviation, before, after) =>
      `累计数，噪声的标准差为 ${deviation}。抽取后相差 ${before}，使其不下降之后相差 ${after}（均方根）。`,
    exercise: {
      ask: "发布三个数 a、b、c，每个的标准差是 3。然后使它们一致：a + b = c。之后每个数的标准差是多少？",
      right: (answer) => `${answer}，即 3 √(2/3)：一个等式去掉三分之一的方差，而且不花费什么。`,
      hint: "三个数加上一个等式，三个方向中还剩两个自由。",
    },
    proof:
      "设 M 是私密的，f 是任意函数（可以是随机的，但不看数据），则 P(f(M(D)) ∈ S) = P(M(D) ∈ f⁻¹(S)) ≤ e^ε P(M(D') ∈ f⁻¹(S))。合理数值的集合是凸的，并且包含精确值，所以其中最近的点离精确值不会比加噪的点更远。",
  },
  classes: {
    title: "k-匿名保护不了什么",
    idea: "如果表中每个人都与至少 k - 1 个其他人看起来一样，这张表就是 k-匿名的。这对两张表没有任何说明：这里两家医院都守住了承诺。对所有人诊断相同的类，以及对方已经知道的事情，它也没有任何说明。",
    lead: (k, age, postcode) =>
      `两家医院发布病人的记录，并把它们变粗，使每种年龄和邮编的组合至少有 ${k} 行相同。有人知道 Ben ${age} 岁，住在 ${postcode}，在两家医院都看过病。下面是可能属于他的行：`,
    k: "至少有多少行看起来相同（k）",
    hospital: (number) => `医院 ${number}`,
    ages: "年龄",
    postcode: "邮编",
    diagnosis: "诊断",
    diagnoses: {
      hepatitis: "肝炎",
      asthma: "哮喘",
      fracture: "骨折",
      migraine: "偏头痛",
      gout: "痛风",
      angina: "心绞痛",
      eczema: "湿疹",
    },
    both: (diagnosis) => `两张表中只有一个诊断相同：${diagnosis}。`,
    text: "每张表都守住了自己的承诺，合在一起却泄露了 Ben：k-匿名对两张表合用没有任何承诺。",
    instead: (before, after) =>
      `如果两家医院都以 ε 0.5 加噪作答，关于 Ben 的 ${before} 的看法至多升到 ${after}：损失会相加，而对方已知什么并不要紧。`,
    exercise: {
      ask: "每家医院有 12 行。在哪个 k，两张表有不止一个相同的诊断，从而不再泄露 Ben？",
      right: (answer) => `${answer}：只有当所有行看起来都一样、年龄和邮编什么也不剩的时候。`,
      hint: "试试按钮给出的每个 k。一张 12 行的表在 k = 12 时是什么样子？",
      options: { "3": "k 为 3", "6": "k 为 6", "12": "k 为 12", none: "都不行" },
    },
    proof:
      "设 A 和 B 是两张表分别给 Ben 留下的诊断。如果他所在的类是混合的，每个集合至少有两个，但真相在 A ∩ B 里，而 k-匿名的定义没有给它的大小任何下界。损失为 ε 的一次发布至多使任何赔率改变 e^ε，两次发布至多 e^(2ε)：这个界可以组合，因为它说的是机制，而不是表。",
  },
}
