// The page of a risk report in Simplified Chinese.

import type { Attacks, CrowdCurve, RiskReport, TableAttack } from "@dosimeter/engine/risk"
import type { RiskTexts } from "./risk-texts.ts"
import { percent, shortUp, whole } from "./risk-words.ts"

/** Names one after another. */
const list = (names: readonly string[]): string => names.join("、")

/** So many of all people. */
function share(count: number, rows: number): string {
  return `${whole(rows)} 人中的 ${whole(count)} 人（${percentZh(rows === 0 ? 0 : count / rows)}）`
}

function percentZh(value: number): string {
  return percent(value).replace("below ", "不到 ").replace("above ", "超过 ")
}

function introduction({ rows, quasi, chosen, sensitive, person }: RiskReport): string {
  const each = person === undefined ? "每一行视为一个人" : `${person.column} 相同的行视为一个人`
  const varying =
    person === undefined || person.varying === 0
      ? ""
      : `其中 ${whole(person.varying)} 人在这些列中有多个值，取最小的一个；他们比数字所说的更容易被找到。`
  const told = sensitive.length === 0 ? "" : `任何人都不应得知的是 ${list(sensitive)}。`
  return `${whole(rows)} 人。${each}。${varying}假定外人知道 ${list(quasi)}${chosen ? "（按列名建议，请核对）" : ""}。${told}`
}

function findings(report: RiskReport): readonly string[] {
  const { quasi, crowds, homogeneity, linkage, rows, personSuggested } = report
  const alone = crowds.sizes.find(({ from }) => from === 1)?.people ?? 0
  const small = crowds.sizes.filter(({ from }) => from < 11).reduce((sum, { people }) => sum + people, 0)
  return [
    ...(personSuggested === undefined
      ? []
      : [
          `每一行算作一个人，但 ${personSuggested.column} 在 ${whole(rows)} 行中有${personSuggested.isEstimate ? "大约 " : " "}${whole(personSuggested.people)} 个不同的值。如果它表示行属于谁，请重新生成报告并把它指定为人的列（--person ${personSuggested.column}）。`,
        ]),
    `${share(alone, rows)}的 ${list(quasi)} 独一无二。`,
    `${share(small, rows)}与不到十个人相同；最小的人群是 ${whole(crowds.k)}。`,
    ...homogeneity.map(
      ({ column, certain, certainAlone }) =>
        `对 ${share(certain, rows)}，知道这些列的人就确知 ${column}：其中 ${whole(certainAlone)} 人独一无二，${whole(certain - certainAlone)} 人所在的人群全都相同。`,
    ),
    ...(linkage === undefined
      ? []
      : [
          `${linkage.file} 的 ${whole(linkage.records)} 条记录中，有 ${whole(linkage.pairs)} 条只与一个人相符，而此人不与其他记录相符。`,
        ]),
    ...curveFinding(report),
  ]
}

function curveFinding({ curve, person }: RiskReport): readonly string[] {
  const point = curve?.points.find(({ mean }) => mean >= 0.9)
  if (curve === undefined || curve.isSample || point === undefined) return []
  return [
    `在所试的组合中，平均任意 ${point.known} 列就使 ${percentZh(point.mean)} 的${person === undefined ? "人" : "行"}独一无二：对知道这么多的人，几乎没有人能藏身于人群。基因组就是如此，几十个标记就够了：这样的数据不会因为去掉姓名而变得安全。${coverZh(curve, person)}`,
  ]
}

function coverZh(
  { rows, looked, isSample, columnsLeftOut }: CrowdCurve,
  person: RiskReport["person"],
): string {
  return [
    isSample
      ? `在 ${whole(rows)} 行的样本中清点，样本中独一无二的比全体更多。`
      : `在全部 ${whole(rows)} 行中清点。`,
    ...(looked === rows ? [] : [`只对其中随机抽取的 ${whole(looked)} 行提问。`]),
    ...(columnsLeftOut === 0 ? [] : [`另有 ${whole(columnsLeftOut)} 列没有试。`]),
    ...(person === undefined ? [] : ["这里清点的是行，一个人可能有多行。"]),
  ].join("")
}

function question({ fact, rows, isSample }: Attacks): string {
  const drawn = isSample
    ? "他们是从表中抽取的，其中至多 2,000 人来自独一无二的人：关于他们的比例不是全表的比例。"
    : ""
  return `这个人的 ${fact.column} 是否为 ${fact.value}？在 ${whole(rows)} 人中，对所在类别中独一无二的人提问，有与没有的人数相同。随便猜也有一半猜对。${drawn}`
}

function tables(attack: TableAttack, { k, ceiling, epsilon, isSample }: Attacks): string {
  const { kind, people, certain, together, withheld, dosimeter } = attack
  const about = (count: number): string =>
    `${isSample ? "抽取的 " : ""}${whole(people)} 人中的 ${whole(count)} 人`
  const left = `（其中未列入 ${whole(withheld)} 人）`
  const found =
    kind === "homogeneous"
      ? `一张使每个人都在至少 ${k} 人的人群中的表${left}，使 ${about(together)}的值确定无疑。`
      : `两张以相反方式变粗的这种表${left}，各自使 ${certain.map(whole).join(" 人和 ")} 人的值确定，合起来使 ${about(together)}的值确定。`
  return `${found}同样的计数由 Dosimeter 以 ε ${epsilon} 给出，由知道其他所有人的攻击者来读：${whole(dosimeter.targets)} 次猜测中猜对 ${percentZh(dosimeter.right)}；平均而言，任何攻击者都不会超过 ${percentZh(ceiling)}。`
}

const parts: Readonly<Record<string, string>> = {
  "as it is": "原样",
  "left out": "去掉",
  months: "按月",
  years: "按年",
  decades: "按十年",
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/^bands of (.+)$/, "每 $1 一段"],
  [/^first (\d+) of (\d+) characters$/, "$2 个字符中的前 $1 个"],
  [/^values that (\d+) % or more have, others merged$/, "至少 $1 % 的人具有的值，其余合并"],
]

/** "age: bands of 5", or a level alone. */
function step(text: string): string {
  const [, column, level = text] = /^(.*): ([^:]+)$/su.exec(text) ?? []
  const said = patterns.reduce((made, [pattern, zh]) => made.replace(pattern, zh), parts[level] ?? level)
  return column === undefined ? said : `${column}：${said}`
}

const reasons: Readonly<Record<string, string>> = {
  "nearly every row has a value of its own": "几乎每一行都有自己的值",
  "by its name": "按列名",
  "the same in every row": "每一行都相同",
  "a genetic marker: a few dozen are nobody else's": "遗传标记：几十个合起来就独一无二",
  "its name tells nothing": "列名看不出什么",
  "rounding: fewer than five people are unique, and the attack adds four to each count":
    "取整：独一无二的不到五人，而攻击要给每个计数加上四人",
  "differencing: not both of those with the fact and those without have unique people":
    "相减：具有该值的人与不具有的人并非都有独一无二的",
  "tables: nobody is in both, or all of them have the fact, or none":
    "表：没有人同时在两张表中，或者全都具有该值，或者都不具有",
}

/** The texts. */
export const riskZh: RiskTexts = {
  language: "zh",
  share: percentZh,
  warning: () => "这份报告是精确的，不受隐私保护。它描述真实的人；请像数据本身一样小心保管。",
  title: (table) => `${table}：能找出其中的人吗？`,
  heading: (table) => `能在 ${table} 中找出某个人吗？`,
  introduction,
  cards: {
    alone: "的人的组合独一无二",
    certain: (column) => `的人的 ${column} 确定无疑`,
    smallest: "是最小人群的人数",
  },
  found: "发现",
  findings,
  method: {
    title: "如何阅读",
    text: "除非另有说明，一切都是清点出来的，没有估计。缺失也算一个值。某人在这张表中独一无二，并不说明表外没有相同的人；某个值确定无疑，是对知道此人在表中的人而言。报告的好坏取决于外人知道哪些列：邻居、雇主和保险公司知道的各不相同。",
  },
  crowds: {
    title: "人群有多大？",
    lead: ({ quasi, crowds }) =>
      `${list(quasi)} 相同的人是一个人群。共有 ${whole(crowds.classes)} 个人群，其中一半至多 ${whole(crowds.median)} 人；这张表是 ${whole(crowds.k)}-匿名的。`,
    heads: ["人群大小", "人数", "人群数"],
    band: (from, to) => (to === undefined ? `${from} 以上` : from === to ? `${from}` : `${from} 至 ${to}`),
  },
  combinations: {
    title: "哪些列使人独一无二？",
    lead: (more, leftOut) =>
      [
        "在所有组合中，使最多人独一无二的排在前面。",
        ...(more > 0 ? [`另外 ${whole(more)} 种在 JSON 中。`] : []),
        ...(leftOut > 0 ? [`有 ${whole(leftOut)} 种组合没有清点，以便报告及时完成。`] : []),
      ].join(""),
    heads: ["已知", "独一无二", "少于 11 人"],
    certain: (column) => `${column} 确定`,
  },
  alike: {
    title: "全都相同的人群藏不住任何人",
    lead: "人群中所有人的值都相同时，无论人群多大，每个人的值都为人所知。",
    heads: ["列", "值的个数", "确定的人", "其中独一无二", "在 11 人以上的人群中", "熵 l"],
    certainFor: share,
    recursiveHead: (l) => `递归 (c, ${l})`,
    recursive: ({ c, without }, rows) =>
      c === undefined
        ? "任何 c 都不行"
        : `c 大于 ${shortUp(c)}${without === 0 ? "" : `，${percentZh(without / rows)} 的人除外`}`,
    legend:
      "l：人群中不同值的最少个数；熵 l：按均匀程度加权的个数；递归 (c, l)：人群中最常见的值不到其余值（去掉最常见的 l - 1 个）合计的 c 倍，值少于 l 个的人群中的人除外；t：人群的值与所有人的值至多相差多少（0 为相同，1 为毫无共同之处）。",
  },
  linkage: {
    title: (file) => `${file} 增添了什么`,
    lead: ({ on, records }) =>
      `两者都有 ${list(on)}。如果它的 ${whole(records)} 条记录是关于这张表中的人，那么：`,
    records: "记录",
    pairs: "只与一个人相符，而此人不与其他记录相符",
    ambiguous: "与人相符，但不是一对一",
    unmatched: "与任何人都不相符",
    certain: (column) => `使 ${column} 确定`,
  },
  coarser: {
    title: "把列变粗的代价，以及仍会泄露什么",
    lead: (quasi) =>
      `每一步使一列变粗，选的是以最小的损失把最多的人带进人群的一列。损失是 ${list(quasi)} 中信息（熵）的比例。别的次序可能代价更小。`,
    chart: "按损失的信息看有风险的人",
    axis: "损失的信息",
    below11: "在少于 11 人的人群中",
    alone: "独一无二",
    certain: (column) => `${column} 确定`,
    heads: ["步骤", "损失", "最小人群", "独一无二", "少于 11 人"],
    step,
  },
  attacks: {
    title: "在这张表上攻击常见的发布规则",
    question,
    heads: ["计数这样发布", "猜对", "提问次数", "猜测"],
    name: ({ kind }) =>
      ({
        hidden: "隐藏 1 到 10 的计数",
        rounded: "隐藏 7 以下的计数，其余取整到 5",
        differenced: "Dosimeter",
      })[kind],
    own: (epsilon) => `Dosimeter，ε ${epsilon}`,
    targets: ({ targets, hidden }) =>
      `${whole(targets)}${hidden === 0 ? "" : `，其中 ${whole(hidden)} 个被隐藏`}`,
    legend: (ceiling) =>
      `攻击询问包含此人的计数和不包含此人的计数。最后一条中的线在 ${percentZh(ceiling)}：e^ε / (1 + e^ε)，无论攻击者还知道什么，对 Dosimeter 答案的攻击平均都不会超过它。那里每个目标的值由抛硬币决定，因此只有答案能透露它；测得的比例可能偶然高于或低于平均。`,
    tables,
    levels: (published) =>
      `两张表：${published.map((levels) => levels.map(step).join("；")).join(" — ")}（按列的次序）。`,
    leftOut: (why) => `没有进行：${reasons[why] ?? why}。`,
  },
  curve: {
    title: "有可以藏身的人群吗？",
    lead: (curve, person) =>
      `在 ${curve.columns.length} 个不是标识的列中，要知道几列，人才会独一无二；每个数目至多试了 ${Math.max(...curve.points.map(({ tried }) => tried))} 种选择。${coverZh(curve, person)}`,
    chart: "按已知的列数看独一无二的人的比例",
    mean: "独一无二，平均",
    most: "最能透露的选择",
    least: "最不能透露的选择",
    axis: "已知的列数",
  },
  columns: {
    title: "各列",
    lead: (isEstimate) =>
      `按列名和值给出的建议。指明个人的列不应出现在交给别人的文件中。${isEstimate ? "不同值的个数是估计的，误差在百分之几以内；它只用于这些建议。" : ""}`,
    heads: ["列", "建议为", "原因", "不同的值", "缺失"],
    roles: { identifier: "指明个人", quasi: "可能为人所知", sensitive: "敏感", other: "未定" },
    why: (text) => reasons[text] ?? text,
    about: (count) => `大约 ${whole(count)}`,
  },
  rows: {
    title: "单个的人",
    lead: "应所有者的要求：独一无二的人，或所在人群只有一个值的人，列出最前的几个。",
    missing: "缺失",
  },
}
