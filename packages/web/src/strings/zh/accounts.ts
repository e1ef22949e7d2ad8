// The accounts, and one's own, in Simplified Chinese.

import type { accountsEn, accountEn } from "../en/accounts.ts"

/** Part of the Chinese catalogue. */
export const accountsZh: typeof accountsEn = {
  title: "账号",
  lead: "谁可以进入，以什么身份。离开的人会被停用而不是删除：他们做过的事仍有署名。",
  add: "添加账号",
  name: "用户名",
  role: "身份",
  since: "创建于",
  disabled: "已停用",
  disable: "停用",
  disableSure: (name) => `从现在起，${name} 不能再登录。`,
  reset: "重设密码",
  password: "密码（只显示一次）",
  passwordHelp: "请妥善转交。登录后可以更改。",
  participant: "谁的数据",
  participantHelp: "此人在数据中的编号，例如 4711。系统不会去查找它，也不再显示。",
  link: "关联到记录",
  linkAnew: "重新关联",
  linkTitle: (name) => `账号 ${name} 对应谁的数据？`,
  linkDone: (name) => `${name} 已关联`,
  notLinked: "未关联",
  roleHelp: {
    owner: "制定政策、创建账号、启动研究",
    analyst: "申请研究并提问",
    committee: "评审研究",
    community: "说明数据中的人们对研究的看法；只提建议，不作决定",
    participant: "查看并决定自己数据的用途",
    auditor: "查看全部经过，不作更改",
  },
}

/** Part of the Chinese catalogue. */
export const accountZh: typeof accountEn = {
  title: "我的账号",
  lead: "您的密码，以及让程序以您的名义提问的令牌。",
  password: "更改密码",
  old: "当前密码",
  new: "新密码",
  again: "再次输入新密码",
  different: "两次输入不一致。",
  changed: "密码已更改。其他会话均已结束。",
  tokens: "令牌",
  tokensHelp: "令牌可以做您能做的事。请给每个程序各自的令牌，以便单独撤销。",
  name: "用途",
  nameHelp: "小写字母、数字和连字符，例如 notebook。",
  days: "有效天数",
  add: "创建令牌",
  shown: (name) => `${name}：令牌（只显示一次）`,
  shownHelp: "请像密码一样保管。程序以 Authorization: Bearer 发送它。",
  none: "您没有令牌。",
  made: "创建于",
  expires: "到期",
  lastUsed: "上次使用",
  never: "从未",
  revoke: "撤销",
  revoked: "已撤销",
  revokeSure: (name) => `从现在起，${name} 不再有效。`,
}
