// The texts of one's own account, in Simplified Chinese.

import type { accountEn } from "./account-en.ts"

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
