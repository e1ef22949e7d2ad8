// What can stand in the audit trail, in Simplified Chinese, by the words that the server writes there.

import type { DeedTexts } from "./deeds-en.ts"

/** In Simplified Chinese. */
export const deedsZh: DeedTexts = {
  "question-asked": "提出问题",
  "question-answered": "得到答案",
  "question-refused": "提问被拒绝",
  incident: "所问在扣除之后失败",
  "incident-acknowledged": "确认了一次失败",
  "release-held": "答案等待批准",
  "release-reviewed": "对等待的答案作出决定",
  "study-proposed": "提出研究",
  "study-edited": "修改研究草稿",
  "study-submitted": "提交研究",
  "study-reviewed": "评审研究",
  "study-airlocked": "要求逐个批准答案",
  "study-activated": "启动研究",
  "study-suspended": "暂停研究",
  "study-resumed": "恢复研究",
  "study-closed": "关闭研究",
  "budget-requested": "申请增加预算",
  "budget-decided": "对增加预算作出决定",
  "consent-changed": "更改同意",
  "campaign-created": "计划征集",
  "campaign-open": "发布征集",
  "campaign-paused": "暂停征集",
  "campaign-closed": "关闭征集",
  "account-added": "添加账号",
  "account-linked": "将账号关联到记录",
  "account-disabled": "停用账号",
  "password-changed": "设置密码",
  "role-changed": "更改身份",
  "token-added": "创建令牌",
  "token-revoked": "撤销令牌",
  "sign-in-failed": "登录失败",
}
