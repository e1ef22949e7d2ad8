// The frame: menu, roles, what every screen says, in Simplified Chinese.

import type { appEn, navEn, rolesEn } from "../en/app.ts"

/** Part of the Chinese catalogue. */
export const appZh: typeof appEn = {
  name: "Dosimeter",
  idea: "询问的是群体，群体中每个人承受的剂量都有计量。",
  skip: "跳到正文",
  menu: "菜单",
  close: "关闭",
  mainMenu: "页面",
  signOut: "退出登录",
  language: "语言",
  theme: "配色",
  themes: { auto: "自动", light: "浅色", dark: "深色" },
  apiDocs: "API",
  transparency: "公示页",
  notFound: "没有这个页面",
  notFoundHelp: "地址可能已失效，或您的账号无权查看此页。",
  back: "返回",
  more: "显示更多",
  cancel: "取消",
  copy: "复制",
  copied: "已复制",
  dismiss: "知道了",
  tryAgain: "重试",
  loading: "正在加载",
  optional: "选填",
  yes: "是",
  no: "否",
}

/** Part of the Chinese catalogue. */
export const navZh: typeof navEn = {
  ask: "提问",
  synthetic: "合成数据",
  models: "模型",
  budget: "预算",
  data: "数据集",
  studies: "研究",
  campaigns: "征集",
  reviews: "评审",
  inbox: "收件箱",
  jobs: "任务",
  sites: "机构",
  voices: "研究提案",
  releases: "发布",
  consent: "我的数据",
  audit: "审计",
  accounts: "账号",
  advise: "ε 顾问",
  lab: "实验室",
  account: "我的账号",
}

/** Part of the Chinese catalogue. */
export const rolesZh: typeof rolesEn = {
  owner: "数据所有者",
  analyst: "分析员",
  committee: "委员会成员",
  community: "社区",
  participant: "参与者",
  auditor: "审计员",
}
