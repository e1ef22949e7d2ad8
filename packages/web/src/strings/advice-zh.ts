// Wishes, ways out of a conflict and the paragraph for an ethics board, in Simplified Chinese.

import { showParameter } from "@dosimeter/core"
import type { AskedOf, BoardConflict, BoardFacts, Relief } from "@dosimeter/core/meaning"
import { percent } from "./short-wish.ts"

type Requirement = AskedOf["requirement"]

/** A wish, as a noun. */
export function wishZh(requirement: Requirement): string {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return `平均误差至多 ${showParameter(requirement.error)}`
    case "deviation-at-most":
      return `标准差至多 ${showParameter(requirement.deviation)}`
    case "within":
      return `${percent(requirement.confidence)} 的情形下噪声不超过 ${showParameter(requirement.within)}`
    case "interval-at-most":
      return `${percent(requirement.confidence)} 的区间宽度至多 ${showParameter(requirement.width)}`
    case "epsilon-at-most":
      return `ε 至多 ${showParameter(requirement.epsilon)}`
    case "mean-noise-at-least":
      return `噪声平均至少 ${showParameter(requirement.noise)}`
    case "noise-exceeds":
      return `至少 ${percent(requirement.probability)} 的情形下噪声超过 ${showParameter(requirement.size)}`
    case "posterior-at-most":
      return `对一个人 ${percent(requirement.prior)} 的看法至多升到 ${percent(requirement.posterior)}`
    case "odds-at-most":
      return `关于一个人的任何猜测，赔率至多改变 ${showParameter(requirement.factor)} 倍`
    case "advantage-at-most":
      return `攻击者的优势至多 ${percent(requirement.advantage)}`
    default:
      return requirement satisfies never
  }
}

/** Each way out of a conflict, any one of which is enough. */
export function waysZh({ reliefs, releases, canHideLess }: BoardConflict): readonly string[] {
  return [
    ...reliefs.map(reliefZh),
    ...(releases === undefined ? [] : [`至多发布 ${releases} 次。`]),
    ...(canHideLess ? ["只隐藏每次发布中的一个人，这是较弱的承诺。"] : []),
  ]
}

function reliefZh({ side, epsilon, wishes }: Relief): string {
  const verb = side === "accuracy" ? "接受" : "允许"
  const parts = wishes.map(({ asked, instead }) =>
    instead === undefined
      ? `放弃「${wishZh(asked.requirement)}」`
      : `${verb}「${wishZh(instead)}」，代替「${wishZh(asked.requirement)}」`,
  )
  return `${parts.join("，并且")}（ε ${showParameter(epsilon)}）。`
}

/** The paragraph, in sentences: the facts are those of the English one. */
export function boardSentencesZh(facts: BoardFacts): readonly string[] {
  const { conflict, overAll, beliefs } = facts
  const chance = beliefs?.chance
  return [
    ...askedZh(facts),
    promiseZh(facts),
    `每个数字在 95 % 的情形下与精确值相差不超过 ${facts.half}（标准差 ${facts.deviation}），即平均数字的 ${facts.share}。`,
    ...(beliefs === undefined
      ? ["这样大的损失对能从一个人身上得知什么几乎没有限制，称不上保护。"]
      : [
          `${chance === undefined ? "无论发布什么" : `除 ${chance} 的机会之外`}，一个人的数据使关于此人的任何猜测的赔率至多改变 ${beliefs.factor} 倍，无论升降。`,
          `原来持 1 % 的猜测至多升到 ${beliefs.fromOne}，持 50 % 的留在 ${beliefs.fromHalf[0]} 与 ${beliefs.fromHalf[1]} 之间。`,
        ]),
    `必须判断某人是否在数据中（两种可能相等）的攻击者，至多在 ${facts.right} 的情形下猜对，而抛硬币能猜对 50 %。`,
    `可以误指 1 % 不在数据中的人的攻击者，至多指出 ${facts.found} 在数据中的人。`,
    ...(overAll === undefined
      ? []
      : [
          `在全部 ${facts.releases} 次发布中，每次都在其中的人合计损失 ε ${overAll}${facts.delta === undefined ? "" : "，δ 相同"}。`,
        ]),
    "无论攻击者还知道什么，这都成立。它不隐藏对人群普遍成立的事；再对同样的人发布别的内容，损失还会增加。",
    ...(conflict === undefined ? [] : conflictZh(conflict)),
  ]
}

function askedZh({
  numbers,
  releases,
  isOnce,
  count,
  population,
  numbersPerPerson,
}: BoardFacts): readonly string[] {
  const asked = `申请发布 ${numbers} 个数字，${isOnce ? "一次" : `共 ${releases} 次`}，${isOnce ? "" : "每次"}大约涉及 ${population} 人中的 ${count} 人。`
  if (numbers === "1") return [asked]
  return [asked, `一个人${isOnce ? "" : "每次"}至多计入其中 ${numbersPerPerson} 个数字，超出的不计。`]
}

function promiseZh({ isOnce, releases, unit, isProposed, noise, epsilon, delta }: BoardFacts): string {
  const covered = isOnce ? "这次发布" : unit === "person" ? `全部 ${releases} 次发布` : "每一次发布各自"
  return (
    `${isProposed ? "我们建议" : "所允许的上限是"} ε 为 ${epsilon}${delta === undefined ? "" : `、δ 为 ${delta}`} 的` +
    `${noise === "laplace" ? "拉普拉斯" : "高斯"}噪声，它隐藏一个人对${covered}的影响。`
  )
}

function conflictZh(conflict: BoardConflict): readonly string[] {
  const { needs, allows } = conflict
  return [
    `这不能满足所有要求，任何 ε 都不能：「${wishZh(needs.requirement)}」需要 ε ${showParameter(needs.epsilon)} 以上，` +
      `而「${wishZh(allows.requirement)}」只允许 ${showParameter(allows.epsilon)} 以下。`,
    `解决的办法（任何一条即可）：${waysZh(conflict).join("")}`,
  ]
}
