// The texts of the Lab, in Simplified Chinese.

import type { LabStrings } from "../en/lab.ts"

/** For somebody who has to judge an epsilon and never met one. */
export const labZh: LabStrings = {
  title: "实验室",
  lead: "用七个步骤、大约五分钟说明 ε 的含义。这里不涉及任何数据：一切都由您的浏览器虚构，所用的机制与服务器作答时相同。",
  epsilon: "隐私参数 ε",
  tradeoff: "ε 越小：噪声越多，隐藏得越好。ε 越大：答案越准，隐藏得越少。",
  error: "误差",
  oddsTimes: "赔率变化",
  atMost: (factor) => `至多 × ${factor}`,
  plusMinus: (half) => `± ${half} 人`,
  noise: {
    title: "1. 看看噪声",
    lead: "一个病区各年龄段有多少病人？空心柱是精确数字，只有实验室才会显示。圆点是离开服务器的答案。多问几次，再移动 ε。",
    draw: "再问一次",
    drawMany: "问 20 次",
    group: "年龄",
    count: "病人数",
    text: (hits, all, sure) =>
      `到目前为止，${all} 个区间中有 ${hits} 个包含精确数字；承诺的是 ${sure}。请看最后一根柱子：每个组的噪声一样大，所以小组被遮住，大组几乎不受影响。`,
  },
  worlds: {
    title: "2. 为什么这能保护一个人",
    lead: "假设有人知道其他所有人的确切记录，其中 999 人患病。您也患病吗？如果是，精确数字就是 1,000。他们只看到一个加噪的答案，而两种情形都可能给出它。",
    with: "您是其中之一",
    without: "您不是",
    answer: "答案",
    chance: "出现频率，%",
    text: (factor) =>
      `在每一个答案上，一条曲线至多是另一条的 ${factor} 倍。ε 所承诺的就是这个倍数，无论攻击者知道什么都成立。`,
  },
  people: {
    title: "3. 用人群表示的赔率",
    lead: "有人认为您患有某种疾病，因为一百个与您相似的人中有这么多人患病。一个答案能把这种看法推动多远？",
    prior: "事先的看法",
    priorOf: (count) => `100 人中 ${count} 人`,
    picture: (before, after) => `一百人中事先 ${before} 人，之后至多 ${after} 人`,
    before: "事先的看法",
    after: "答案至多能增加的部分",
    words: (before, low, high) =>
      `${before} 的看法会保持在 ${low} 与 ${high} 之间，无论答案是什么，也无论对方还知道什么。`,
    right: (count) =>
      `必须判断您是否在数据中的人，抛硬币能在 100 次中猜对 50 次；有了答案，至多猜对 ${count} 次。`,
  },
  addUp: {
    title: "4. 问题会累加",
    lead: "对同一群人每多问一个问题，损失就增加一点。所以才有预算。",
    questions: "以此 ε 提问的次数",
    axis: "问题数",
    plain: "ε 直接相加",
    byRho: "按 rho 相加，δ 1e-7",
    text: (count, total) =>
      `${count} 个问题合计 ε ${total}：取两条线中较低的一条，因为两者都成立。问题少时直线更好；问题多时按 rho 相加的曲线更好。`,
    belief: (before, after) => `如果是直线成立，${before} 的看法在全部问题之后可能升到 ${after}。`,
    average: (count, one, many) =>
      `同一个问题问 ${count} 次就可以取平均：± ${one} 会变成大约 ± ${many}。服务器会给出已记录的答案，所以再问一次得不到新信息，也不花费预算。`,
  },
  sizes: {
    title: "5. 大组准确，小组不准",
    lead: "噪声不随组的大小增长，所以它在答案中所占的比例会缩小。",
    size: "组内人数",
    axis: "组内人数",
    percent: "误差，占该组的 %",
    text: "粗线：您的 ε。上下两条：它的四分之一和四倍。虚线：10 % 的误差。",
    row: (size) => `${size} 人`,
    off: (percent) => `误差 ± ${percent} %`,
  },
  choose: {
    title: "6. 需要的准确度对应多大的 ε？",
    lead: "够用的最小值就是合适的值。请说明重要的最小组有多少人，以及它的数字可以差多少。",
    size: "重要的最小组的人数",
    percent: "可以相差，%",
    bad: "请填写整数人数，以及大于 0、不超过 100 的百分比。",
    answer: (epsilon) => `ε ${epsilon} 就够了（100 次中有 95 次）。`,
    means: (before, after) =>
      `用它，${before} 的看法至多升到 ${after}。如果这太多，请要求更大的组或较低的准确度。`,
    use: "在上面使用它",
  },
  classes: {
    title: "7. k-匿名保护不了什么",
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
    text: "每张表都守住了自己的承诺，合在一起却泄露了 Ben。更大的 k 只会让表更粗，并没有帮助：k-匿名对两张表合用、对攻击者已知的事情都没有任何承诺。",
    instead: (before, after) =>
      `如果两家医院都以您的 ε 加噪作答，关于 Ben 的 ${before} 的看法至多升到 ${after}：损失会相加，而对方已知什么并不要紧。`,
  },
}
