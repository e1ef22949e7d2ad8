// What nodes and coordinators of a study over several sites say, in Simplified Chinese, by the codes of
// docs/errors.md.

import type { ErrorText } from "./compiler-errors.ts"

/** The texts by their codes. */
export const federationErrorsZh: Readonly<Record<string, ErrorText>> = {
  "federation/bad-url": {
    message: "{url} 不是协调方的地址",
    help: "请给出形如 https://study.example.org 的地址；http:// 只能用于本机，否则他人可以读到内容",
  },
  "federation/no-url": {
    message: "没有说明节点通过哪个地址联系协调方",
    help: "请给出一次：dosimeter coordinator invite SITE --url https://study.example.org",
  },
  "federation/bad-invitation": {
    message: "这不是邀请",
    help: "请给出 dosimeter coordinator invite 打印的整行文字",
  },
  "federation/bad-site": {
    message: "{site} 不能作为站点名称",
    help: "以小写字母开头，其后为字母、数字和 -，最多 40 个字符；coordinator 已被占用",
  },
  "federation/bad-peer": {
    message: "这不是站点 {site} 的密钥",
    help: "请给出该站点 dosimeter node status 显示的 43 个字符",
  },
  "federation/bad-proxy": {
    message: "代理地址无法使用",
    help: "请通过 --proxy 或 HTTPS_PROXY 给出形如 http://proxy.example.org:3128 的地址",
  },
  "federation/bad-request": { message: "节点的请求无法接受", help: "请让双方使用相同版本的 Dosimeter" },
  "federation/other-coordinator": {
    message: "这个请求是发给另一个协调方的",
    help: "协调方换了密钥后需要新的邀请：dosimeter coordinator invite SITE",
  },
  "federation/clock": {
    message: "节点与协调方的时钟相差超过五分钟：这里是 {now}",
    help: "请校正有误的时钟",
  },
  "federation/replayed": { message: "这个请求以前已经收到过", help: "无需处理：节点会为每个请求重新签名" },
  "federation/no-invitation": {
    message: "站点 {site} 没有适用于这把密钥的有效邀请",
    help: "一份邀请在 14 天内只能登记一把密钥一次；请向牵头人索取新的：dosimeter coordinator invite {site}",
  },
  "federation/not-enrolled": {
    message: "站点 {site} 没有用这把密钥登记，或已被移除",
    help: "请询问牵头人：dosimeter coordinator sites 可以看到，也可以重新邀请 {site}",
  },
  "federation/site-exists": {
    message: "站点 {site} 已经登记",
    help: "请换一个名称，或先移除它：dosimeter coordinator expel {site} --why REASONS",
  },
  "federation/no-site": {
    message: "没有参加研究的站点 {site}",
    help: "请查看有哪些：dosimeter coordinator sites",
  },
  "federation/joined-already": {
    message: "这个节点已经属于研究 {study}",
    help: "请先退出：dosimeter node leave；或在另一个文件夹中使用另一个节点",
  },
  "federation/not-joined": {
    message: "这个节点不属于任何研究",
    help: "请用牵头人的邀请加入：dosimeter node join INVITATION",
  },
  "federation/not-pinned": {
    message: "没有人确认协调方的指纹正确，因此节点没有加入",
    help: "请与牵头人通过电话核对并回答 y，或用 --fingerprint 给出牵头人告知的指纹",
  },
  "federation/other-fingerprint": {
    message: "这份邀请来自指纹为 {invited} 的另一个协调方",
    help: "邀请可能被人改动：请通过另一种途径再向牵头人索取",
  },
  "federation/unreachable": {
    message: "无法连接位于 {url} 的协调方：{why}",
    help: "请检查本机能否访问该地址；代理用 --proxy 或 HTTPS_PROXY 给出，机构自己的证书颁发机构用 --ca FILE 给出",
  },
  "federation/refused": {
    message: "位于 {url} 的协调方拒绝：{said}",
    help: "请按其中的说明处理；如果不是协调方的话，请检查代理",
  },
  "federation/not-the-coordinator": {
    message: "这个回复不是由节点所加入的协调方签名的",
    help: "可能是中间的设备作了回答；如果协调方丢失了密钥，请退出后用新的邀请重新加入",
  },
  "federation/other-version": {
    message: "位于 {url} 的协调方使用了本版本不认识的格式",
    help: "请让双方使用相同版本的 Dosimeter",
  },
  "federation/no-job": {
    message: "没有任务 {job}",
    help: "请查看有哪些：dosimeter node inbox，或 dosimeter coordinator jobs",
  },
  "federation/decided": { message: "任务 {job} 已经有了决定", help: "已批准的不能收回，已拒绝的保持不变" },
  "federation/not-allowed": { message: "{name} 不能对任务作决定", help: "由所有者或委员会成员决定" },
  "federation/no-reasons": { message: "没有给出理由", help: "请用一句话说明原因：--why REASONS" },
  "federation/bad-standing": {
    message: "无法预先同意：{what}",
    help: "请给出问题的模式、每项任务和全部任务的上限，以及最后一天；见 docs/guides/federation.md",
  },
  "federation/too-few-estimates": {
    message: "只有 {got} 个机构的数字没有被噪声淹没，至少需要两个",
    help: "请在每个机构用更多的 ε 提问，或改为求总和",
  },
  "federation/no-column": {
    message: "答案里没有列 {column}",
    help: "请从以下列中选择：{columns}",
  },
  "federation/no-group": {
    message: "在列 {column} 中，值为 {value} 的行不是恰好一行",
    help: "请指明区分两组的列及其两个值",
  },
  "federation/not-one-row": {
    message: "均值要从只有一行的答案合并",
    help: "提问时不要用 GROUP BY，或比较两组：mean-difference",
  },
  "federation/not-separate": {
    message: "没有各机构分别的答案可以合并",
    help: "请用 --separate 提问，有了答案之后再合并",
  },
  "federation/no-such-view": {
    message: "没有视图 {view}",
    help: "请查看有哪些：dosimeter node view list",
  },
  "federation/no-standing": {
    message: "没有仍然有效的预先同意 {id}",
    help: "请查看有哪些：dosimeter node standing list",
  },
}
