// The texts of the Lab, in Simplified Chinese: its frame; the chapters are in the folder beside this file.

import type { labEn } from "../en/lab.ts"
import { choicesZh } from "./lab/choices.ts"
import { manyZh } from "./lab/many.ts"
import { meaningZh } from "./lab/meaning.ts"
import { noisesZh } from "./lab/noises.ts"

/** For somebody who has to judge an epsilon and never met one. */
export const labZh: typeof labEn = {
  title: "实验室",
  lead: "用十六个短章说明 ε 的含义。每章有一个想法、一个可以移动的东西、一道练习和一个证明。这里不涉及任何数据：一切都由您的浏览器虚构，所用的机制与服务器作答时相同。",
  epsilon: "隐私参数 ε",
  tradeoff: "ε 越小：噪声越多，隐藏得越好。ε 越大：答案越准，隐藏得越少。",
  error: "误差",
  oddsTimes: "赔率变化",
  atMost: (factor) => `至多 × ${factor}`,
  plusMinus: (half) => `± ${half} 人`,
  contents: "各章",
  progress: (solved, all) => `已完成 ${all} 道练习中的 ${solved} 道，只记在这个浏览器里。`,
  solved: "已完成",
  chapter: (number, title) => `${number}、${title}`,
  move: "动手试试",
  exercise: "练习",
  answer: "您的答案",
  check: "检查",
  right: "正确。",
  notYet: "还不对。",
  cannotRead: "请填写一个数，或选择其中一个答案。",
  proof: "证明（供有兴趣的人阅读）",
  back: "全部章节",
  next: "下一章",
  previous: "上一章",
  teacher: "供教师使用：全部练习与答案",
  teacherTitle: "供教师使用",
  teacherLead: "每道练习及其答案，由检查练习的同一段代码在您的浏览器中算出。可以打印，也可以在课上改动数字。",
  theAnswer: "答案",
  ifWrong: "提示",
  accepted: (percent) => `误差在 ${percent} % 以内算对`,
  chapters: { ...noisesZh, ...meaningZh, ...manyZh, ...choicesZh },
}
