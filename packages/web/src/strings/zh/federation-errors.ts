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
  "federation/no-model": {
    message: "任务 {job} 没有可写出的模型",
    help: "只有已有答案的回归任务才有模型：dosimeter coordinator jobs",
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
  "federation/not-a-sum": {
    message: "各站点无法通过相加各自的数字来回答“{what}”",
    help: "请改写问题：列出分组的取值，声明列的最小值与最大值，或按区间计数",
  },
  "federation/shows-too-little": {
    message: "本站点的策略不显示小于 {least} 的计数，而该任务会显示",
    help: "请让牵头人在研究目录中写 shown_from: {least} 后重新发起任务",
  },
  "federation/other-layout": {
    message: "该问题在这里的测量方式与研究目录中的不同",
    help: "请对照研究目录检查键、范围、网格、每人组数、相邻关系与记账方式；没有扣除预算",
  },
  "federation/not-for-us": {
    message: "任务被拒绝：{what}",
    help: "请让牵头人发起新的任务；没有扣除预算",
  },
  "federation/bad-view": {
    message: "视图“{view}”无法使用",
    help: "视图请以研究的表命名（字母、数字和下划线），视图之间不能循环引用，且每一行只能属于一个人",
  },
  "federation/no-view": {
    message: "{table} 不是本站点的视图；可用的视图有：{views}",
    help: "请只询问这些视图，或请站点所有者建立同名视图；没有扣除预算",
  },
  "federation/job-known": {
    message: "任务 {job} 在这里已经提出、决定或扣费",
    help: "请让牵头人发起新的任务：一个任务只参加一次，重启的站点视为已退出",
  },
  "federation/unknown-job": {
    message: "这里没有等待该操作的任务 {job}",
    help: "请查看哪些任务仍在进行；已决定的或由另一进程打开的任务在这里已经结束",
  },
  "federation/out-of-order": {
    message: "步骤“{step}”的消息迟到、提前、重复或来自他人",
    help: "没有对它做任何处理；请按产生的顺序发送消息",
  },
  "federation/bad-key": {
    message: "这不是 PEM 格式的 Ed25519 私钥",
    help: "请给出登记时写入的文件，或重新登记以生成新的密钥",
  },
  "federation/bad-message": {
    message: "联邦中的一条消息有问题：{what}",
    help: "没有对它做任何处理；请确认两端版本相同，然后重新发送",
  },
  "federation/sum-terms": {
    message: "这些站点无法汇总它们的数字：{what}",
    help: "请创建包含更多站点的任务，或假设更少的站点串通或退出",
  },
  "federation/sum-message": {
    message: "安全汇总的一条消息中有无法理解的内容：{what}",
    help: "请在协调方和每个节点运行相同的版本",
  },
  "federation/sum-other": {
    message: "一条消息属于另一次安全汇总",
    help: "没有透露任何内容；协调方必须发送属于此任务的消息",
  },
  "federation/sum-out-of-turn": {
    message: "一条消息迟到、重复或次序不对：这一方的汇总处于 {stage}",
    help: "没有透露任何内容；迟到的站点已退出此任务，可以参加下一个任务",
  },
  "federation/sum-sites": {
    message: "站点名单中有不属于此任务的站点、重复的站点，或缺少本站点",
    help: "没有透露任何内容；请向协调方询问此任务有哪些站点",
  },
  "federation/sum-too-few": {
    message: "只剩 {got} 个站点，少于 {least} 个就不能相互隐藏",
    help: "没有透露任何内容；有更多站点能参加时请重新创建任务",
  },
  "federation/sum-signature": {
    message: "{site} 的一条消息没有用它登记的密钥签名",
    help: "没有透露任何内容；如果 {site} 的密钥已更换，请重新登记",
  },
  "federation/sum-key": {
    message: "汇总的一个密钥无效、被使用两次，或不是原先发送的密钥",
    help: "没有透露任何内容；可能有人换入了别的密钥：请询问协调方的所有者",
  },
  "federation/sum-sealed": {
    message: "一个密封的份额在途中被改动，或属于另一个站点或另一次汇总",
    help: "没有透露任何内容；请重新创建任务，如果再次出现，请检查由谁传递消息",
  },
  "federation/sum-not-agreed": {
    message: "签名确认剩下相同站点的站点太少",
    help: "没有透露任何内容；有足够的站点回应时请重新创建任务",
  },
}
