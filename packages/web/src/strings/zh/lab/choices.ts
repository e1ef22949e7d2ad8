// The chapters of the Lab about choices, and about who adds the noise. In Chinese.

import type { choicesEn } from "../../en/lab/choices.ts"

/** Selection, response, local, federated. */
export const choicesZh: typeof choicesEn = {
  selection: {
    title: "从几个中选一个",
    idea: "有些答案不是数字：得票最多的设计，一个队列中最常见的诊断。指数机制以随得分增长的概率选择每个候选者。得分接近的对手可能获胜，远远落后的几乎不会，而且只公布所选的那一个。",
    contest: "选什么",
    designs: "按票数选设计",
    codes: "最常见的编码",
    epsilon: "隐私参数 ε",
    axis: "被选中，%",
    text: (best, draws, percent) =>
      `${draws} 次选择（每一次都是单独的发布）中，${best} 占 ${percent} %。括号里是得分。`,
    again: "再选一次",
    exercise: {
      ask: "设计 A 有 31 票，D 有 12 票，每人一票。ε 为 0.1 时，A 被选中的可能性是 D 的几倍？",
      right: (answer) => `${answer} 倍：e 的 0.1 乘 19 次方。`,
      hint: "每多一票，机会乘以 e^0.1。",
    },
    proof:
      "候选者 i 被选中的概率是 e^(ε q_i) / Σ e^(ε q_j)。多一个人使某些得分增加 1，不使任何得分减少：分子增长的倍数在 1 与 e^ε 之间，分母的和也是。所以概率之比在 e^-ε 与 e^ε 之间。如果得分可能向两个方向变动，就需要一半的速率。",
  },
  response: {
    title: "您自己的答案，经过一枚硬币",
    idea: "有的问题太敏感，不该把答案托付给任何人。在随机应答中，您自己的设备抛一枚硬币，只在某些时候说真话，所以单个答案证明不了什么。因为知道人们说谎的频率，仍可以从许多这样的答案算出人群的比例。",
    epsilon: "隐私参数 ε",
    coin: (percent) => `您的设备以 ${percent} % 的概率说真话。`,
    own: "您的真实答案",
    yes: "是",
    no: "否",
    send: "发送",
    nothing: "还没有发送任何东西。",
    sent: (last, yes, all) =>
      `离开您设备的是：${last}。到目前为止 ${all} 次中有 ${yes} 次“是”。（真正的设备只发送一次：每一次都会增加损失。）`,
    truth: "真实",
    reported: "报告",
    estimated: "推算",
    axis: "“是”的比例，%",
    text: (people, reported, estimate) =>
      `${people} 人，其中 30 % 会回答“是”：报告的是 ${reported} %，推算出来的是 ${estimate} %。`,
    exercise: {
      ask: "ε 为 1.0986（3 的对数）时，说真话的频率是百分之几？",
      right: (answer) => `${answer} %：真与假是 3 比 1。`,
      hint: "真话与假话的概率之比是 e^ε，并且相加为 1。",
    },
    proof:
      "说真话的概率是 p = e^ε/(1+e^ε)。无论您发送什么，它在一个真实答案下的可能性是另一个的 p/(1-p) = e^ε 倍，所以关于您的看法不会变动更多。n 个人中有比例 s 的“是”，平均有 n(s p + (1-s)(1-p)) 份报告说“是”；解出 s 就得到平均而言正确的估计。",
  },
  local: {
    title: "您信任谁？",
    idea: "在中心模型里，一个管理者持有所有答案，只加一次噪声。在本地模型里，每台设备各自加噪，谁也不必信任。在同样的 ε 下，中心模型的误差与人数无关，而本地模型的误差随人数的平方根增长。",
    people: "人数",
    epsilon: "隐私参数 ε",
    central: "中心",
    local: "本地",
    error: "± 人数（95 %）",
    text: (people, central, local, percent) =>
      `${people} 人，其中 30 % 回答“是”：中心 ± ${central}，本地 ± ${local}，即全体的 ${percent} %。`,
    exercise: {
      ask: "人数变成 100 倍时，本地计数的误差增长多少倍？",
      right: (answer) => `${answer} 倍：100 的平方根。占全体的比例则降到十分之一。`,
      hint: "所有设备的噪声像随机游走的步子那样相加。",
    },
    proof:
      "每份报告有取决于 ε 的方差 v，各份报告独立：总和的方差是 n v，标准差是 √(n v)。一个管理者只在精确总和上加一次尺度为 1/ε 的噪声。当 ε 不大于 1 左右时，没有本地协议的误差阶小于 √n/ε。",
  },
  federated: {
    title: "数据留在各家医院",
    idea: "不交出数据的医院也能一起作答。如果每家都给自己的计数加上全部噪声，总和就带有所有的噪声。如果它们在互相抵消的掩码下相加，谁也看不到单个计数，每家只需加一份噪声的份额：总和几乎与来自一处时一样好。",
    hospitals: "医院数",
    missing: "不指望其噪声的医院数",
    own: "每家加全部噪声",
    shared: "每家加一个份额",
    deviation: "总和的标准差",
    text: (hospitals, own, shared, one) =>
      `${hospitals} 家医院：每家加全部噪声时 ${own}，加份额时 ${shared}；一处可信的地方是 ${one}。`,
    exercise: {
      ask: "16 家医院各自给计数加上标准差为 10 的噪声。总和的标准差是多少？",
      right: (answer) => `${answer}：方差相加，所以是 √16 乘 10。用份额则接近 10。`,
      hint: "相加的是方差，不是标准差。",
    },
    proof:
      "设机制需要方差 V，n 家医院中至少有 h 家诚实并在场。如果每家加 V/h，仅诚实的医院就带来 V：保护不依赖其他医院。总和的方差是 n V/h，所以标准差只增长 √(n/h) 倍。离散正态之和并不严格是离散正态，这个差别也计入损失。",
  },
}
