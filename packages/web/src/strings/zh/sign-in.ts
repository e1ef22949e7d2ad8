// Signing in, and the first account of a new server, in Simplified Chinese.

import type { signInEn, setUpEn } from "../en/sign-in.ts"

/** Part of the Chinese catalogue. */
export const signInZh: typeof signInEn = {
  title: "登录",
  name: "用户名",
  password: "密码",
  go: "登录",
  openId: "使用机构账号登录",
  or: "或",
  help: "账号由数据所有者创建。",
  publicPage: "查看数据的用途",
}

/** Part of the Chinese catalogue. */
export const setUpZh: typeof setUpEn = {
  title: "欢迎。这里还没有任何账号。",
  body: "第一个账号属于数据所有者。服务器启动时在终端里打印了一个代码，用它可以在此创建账号。",
  code: "终端里的代码",
  name: "您的用户名",
  nameHelp: "小写字母和数字，例如 ada。",
  password: "设置密码",
  passwordHelp: "至少十二个字符，越长越好。",
  go: "创建账号",
  done: "已登录。接下来请为委员会和分析员创建账号。",
}
