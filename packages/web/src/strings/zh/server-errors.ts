// What the server says, in Simplified Chinese, by the codes of docs/errors.md: those that people meet at a
// screen.

import type { ErrorText } from "./compiler-errors.ts"

/** The texts by their codes. */
export const serverErrorsZh: Readonly<Record<string, ErrorText>> = {
  "budget/exhausted": {
    message: "这个问题需要 {asked}，而 {account} 只剩 {left}",
    help: "请少花一些（还剩 {left}），或请所有者增加预算",
  },
  "budget/unknown-account": { message: "账本中没有账户 {account}", help: "请在“预算”中查看有哪些账户" },
  "ledger/request-known": {
    message: "请求 {request} 已经扣除",
    help: "正在回答：请稍后再发送一次，届时会有答案，或已失败",
  },
  "ledger/request-failed": {
    message: "请求 {request} 已扣除，但失败或被停止",
    help: "扣除仍然有效；请用另一个请求编号再问，以付费得到答案",
  },
  "ledger/door-closed": {
    message: "{principal} 的一个问题在扣除之后失败（条目 {position}），因此不再回答 {principal} 的新问题",
    help: "请所有者查明原因并确认条目 {position}；已有的答案仍可查看",
  },
  "reuse/held": {
    message: "这个问题的一个步骤是条目 {position} 的发布，它正等待批准",
    help: "批准后再问，或不分步骤，直接说明花费与界限",
  },
  "ledger/no-incident": { message: "条目 {position} 没有等待所有者的失败", help: "请在“预算”中查看有哪些" },
  "ledger/request-reused": { message: "请求 {request} 是另一个问题", help: "请给每个问题各自的请求编号" },
  "backend/failed": { message: "数据库无法作答", help: "扣除仍然有效；请告诉运维人员，其日志中有原因" },
  "backend/impossible-extract": {
    message: "数据库给出了不可能的结果，未据此产生任何答案",
    help: "扣除仍然有效；请告诉数据所有者，由其连同该问题一起报告",
  },
  "backend/cancelled": {
    message: "问题在回答之前被停止",
    help: "扣除仍然有效，因为数据可能已被读取；请再问一次",
  },
  "backend/too-large": {
    message: "问题所需的内存、磁盘或时间超过数据库所能提供的",
    help: "扣除仍然有效；请所有者准备数据，或为数据库提供更多资源",
  },
  "backend/too-slow": {
    message: "问题用时超过 {seconds} 秒，已被停止",
    help: "扣除仍然有效；请所有者准备数据，或允许更长时间",
  },
  "consent/no-purpose": {
    message: "人们自己决定数据的用途，而问题没有说明用途",
    help: "请在有用途的研究中提问",
  },
  "consent/unavailable": {
    message: "人们自己决定数据的用途，而无法得知他们的决定",
    help: "请运维人员连同保存决定的状态一起打开数据集",
  },
  "consent/changed": { message: "计划这些问题之后，有人改变了决定", help: "请重新计划；没有扣除预算" },
  "plan/of-other-data": {
    message: "{dataset} 的计划是按另一份政策制定的，不适用于这份数据",
    help: "请用所提问的数据集重新计划；没有扣除预算",
  },
  "bounds/too-little": {
    message: "epsilon {epsilon} 太小，不够先学习界限再回答",
    help: "请用更大的 epsilon 或另一个份额，或声明界限；没有扣除预算",
  },
  "bounds/bad-share": {
    message: "用于学习界限的份额不在 0.01 与 0.9 之间",
    help: "请给出 0.2 这样的份额，或留空",
  },
  "within/learns": {
    message: "误差目标是按已知的界限规划的，而这里需要先学习界限、组数或范数",
    help: "改为给出 epsilon；或使用已知的界限。范数：先用 epsilon 问一次，它的阶梯就有了记录，此后可用于误差目标",
  },
  "within/nothing": {
    message: "答案中没有可以限制误差的加噪数字",
    help: "请说明要花费的 ε，或询问计数、求和、平均值或分位数",
  },
  "within/not-positive": { message: "要达到的误差必须大于 0", help: "写 50 表示五十个单位，写 5% 表示比例" },
  "within/small": {
    message: "以 ε {epsilon} 先看一眼，无法把答案与 0 区分开",
    help: "已经扣除；请说明要花费的 ε，或以答案的单位给出误差",
  },
  "within/unreachable": {
    message: "ε {epsilon} 是一个问题的上限，只能给出 ±{reachable}，而不是 ±{within}",
    help: "请要求 {reachable} 的误差，或减少列数或每人的组数",
  },
  "request/bad-json": { message: "请求内容不是 JSON", help: "请以 Content-Type: application/json 发送 JSON" },
  "request/bad-input": { message: "{where} 不符合要求：{what}", help: "请在 /api 查看此路由接受什么" },
  "request/no-route": { message: "{path} 处什么也没有", help: "请在 /api 查看有哪些路由" },
  "request/wrong-method": { message: "这里不能用 {method}，可以用 {allowed}", help: "请用 {allowed}" },
  "request/too-large": { message: "请求内容超过 {most} 字节", help: "请少发送一些" },
  "request/bad-key": {
    message: "Idempotency-Key 无效",
    help: "请发送 1 到 100 个字母、数字、连字符或下划线，例如 UUID",
  },
  "request/not-signed-in": { message: "没有人登录，或会话、令牌已经结束", help: "请登录" },
  "request/wrong-password": { message: "用户名或密码不对", help: "请重试，或请所有者给一个新密码" },
  "request/from-elsewhere": { message: "请求来自别的网站，或没有带会话的令牌", help: "请重新打开页面" },
  "request/needs-session": { message: "令牌不能做这件事", help: "请用密码或机构登录" },
  "request/too-many": { message: "短时间内请求太多", help: "请等 {seconds} 秒再试" },
  "request/too-many-tries": { message: "密码错误次数太多", help: "请等几分钟再试" },
  "request/left": { message: "问题在轮到之前被撤回", help: "没有扣除预算；请再问一次" },
  "request/too-many-waiting": {
    message: "您有太多问题在等待回答",
    help: "请先等其中一些得到回答；这个问题没有扣除预算",
  },
  "request/busy": { message: "等待回答的问题太多", help: "请过几秒再试；没有扣除预算" },
  "request/no-dataset": { message: "没有数据集 {dataset}", help: "请在“数据集”中查看有哪些" },
  "account/not-the-first": { message: "已经有账号了", help: "请登录，或请所有者创建账号" },
  "account/wrong-code": {
    message: "这不是服务器打印的代码",
    help: "请从运行 dosimeter serve 的终端取得代码",
  },
  "account/exists": { message: "已经有账号 {name}", help: "请另选名字，或为它设置新密码" },
  "account/unknown": { message: "没有账号 {name}", help: "请在“账号”中查看谁有账号" },
  "account/bad-name": {
    message: "{name} 不能作为账号名",
    help: "以小写字母开头，之后可用字母、数字、点、@、- 和 _，最多 63 个字符",
  },
  "account/short-password": { message: "密码太短", help: "至少十二个字符；几个词最好" },
  "account/no-right": { message: "{name} 没有权限：{right}", help: "请数据集的所有者给予其他身份" },
  "oidc/not-configured": { message: "这里没有配置机构登录", help: "请用密码登录" },
  "oidc/failed": { message: "机构没有确认您的身份", help: "请从登录页重新开始；仍不行请联系运维人员" },
  "oidc/unreachable": { message: "无法连接负责登录的机构", help: "请稍后再试，或用密码登录" },
  "oidc/no-role": { message: "机构没有给您这里的身份", help: "请运维人员把您的某个组对应到一种身份" },
  "oidc/name-taken": { message: "名字 {name} 已属于这里的另一个账号", help: "请联系运维人员" },
  "token/bad-name": {
    message: "{name} 不能作为令牌名",
    help: "可用小写字母、数字、点、- 和 _，最多 63 个字符",
  },
  "token/bad-days": { message: "令牌不能有效 {days} 天", help: "请取 1 到 366 的整数" },
  "token/exists": { message: "已经有令牌 {name}", help: "请另选名字，或先撤销它" },
  "token/above-account": {
    message: "{name} 没有权限 {right}，其令牌也不能有",
    help: "请去掉它，或为另一个账号创建令牌",
  },
  "token/unknown": { message: "没有令牌 {id}", help: "请在“我的账号”中查看有哪些" },
  "release/no-model": { message: "条目 {position} 处的发布不是模型", help: "请在“模型”中查看有哪些" },
  "release/not-own": { message: "发布 {position} 是别人提出的问题", help: "请提问者或数据所有者为它取标题" },
  "release/unknown": { message: "条目 {position} 处没有发布", help: "请在“发布”中查看有哪些" },
  "airlock/waiting": {
    message: "发布 {release} 已付费，正等待批准：研究 {study} 的答案须经批准",
    help: "批准后再问一次同样的问题：那时免费",
  },
  "airlock/refused": { message: "发布 {release} 被 {name} 拒绝：{reasons}", help: "请问别的；已付的不退" },
  "airlock/nothing": {
    message: "发布 {release} 在付费之后失败：没有可批准的内容",
    help: "请拒绝它，理由中不要说明失败",
  },
  "airlock/incident": {
    message: "研究 {study} 的一个问题在付费之后失败（条目 {position}），因此不能批准它的任何发布",
    help: "请所有者先查明原因并确认条目 {position}",
  },
  "incident/own": {
    message: "条目 {position} 的失败涉及 {name} 自己的问题",
    help: "请另一位所有者确认，或由持有账本的人在命令行确认条目 {position}",
  },
  "airlock/no-within": { message: "在发布须经批准的研究中不能按准确度提问", help: "请说明要花费的 ε" },
  "airlock/no-learning": {
    message: "在发布须经批准的研究中不能先学习界限、组数或范数",
    help: "请写 CLAMP(x, low, high)，说明计入多少组，或不指定范数",
  },
  "airlock/no-series": {
    message: "在发布须经批准的研究中不能建立序列",
    help: "请就已经结束的时段提问，按 date_trunc('week', day) 分组",
  },
  "airlock/unknown": { message: "没有等待批准的发布 {release}", help: "请在“评审”中查看有哪些" },
  "airlock/decided": {
    message: "发布 {release} 已经是 {state}",
    help: "已经送出的无法收回，已经拒绝的不再改变",
  },
  "airlock/no-reasons": {
    message: "没有写出关于发布 {release} 的理由",
    help: "请用一句话说明；分析员会读到",
  },
  "airlock/not-allowed": {
    message: "{name} 不能查看研究 {study} 中等待的答案",
    help: "所有者和委员会成员可以，除非他们属于该研究",
  },
  "consent/not-allowed": { message: "{name} 不能替别人决定", help: "参与者自己决定，所有者录入人们的决定" },
  "consent/not-linked": { message: "没有说明账号 {name} 对应谁的数据", help: "请所有者在“账号”中关联它" },
  "consent/bad-purpose": {
    message: "{purpose} 不是人们可以同意的用途",
    help: "请取 DUO:0000004、DUO:0000042、DUO:0000006、DUO:0000007 或 DUO:0000011",
  },
  "consent/bad-time": {
    message: "{time} 不是可能作出决定的时间",
    help: "请写 2026-01-31 这样的日期，或 2026-01-31T09:30:00Z 这样的时间，不能在将来",
  },
  "consent/bad-participant": {
    message: "这不是数据中某个人的编号：那里的编号类型为 {type}",
    help: "请取策略中指定为单位的那一列的编号",
  },
  "consent/bad-file": {
    message: "没有采用 {file} 的任何内容：{problems}",
    help: "请改正文件再交一次；看不懂的内容从不猜测",
  },
  "consent/linked-already": {
    message: "账号 {name} 已经代表一位参与者",
    help: "每位参与者一个账号：请先停用那个账号，或填写正确的编号",
  },
  "consent/no-participant": {
    message: "账号 {name} 不是参与者的账号，不能对应某人的数据",
    help: "请创建身份为参与者的账号",
  },
  "audit/unsound": {
    message: "审计记录在条目 {position} 处不完整",
    help: "请恢复最新的完好副本，并查明是谁改动的",
  },
  "decision/not-allowed": {
    message: "{name} 不能对账本作出决定",
    help: "由所有者和委员会中的两人决定，至少一人属于委员会",
  },
  "decision/nothing": { message: "账本可以正常扣除，没有需要决定的事", help: "请查看“预算”" },
  "decision/other": {
    message: "账本现在因另一个原因被拒绝：{what}",
    help: "请重新查看，再就此作出决定",
  },
  "decision/unknown": { message: "没有待定的账本决定 {id}", help: "请在“预算”中查看有哪些" },
  "decision/agreed-already": { message: "{name} 已经对此作出决定", help: "须由另一个人同意" },
  "decision/two-accounts": {
    message: "这里有委员会，须由两个账号对账本作出决定",
    help: "请由所有者或委员会成员申请，另一人同意",
  },
  "decision/bad-share": {
    message: "已用的部分写成了 {got}，应为预算的一个比例",
    help: "请写一个比例，例如 40%，不少于已知的、不超过 100%；留空则为全部",
  },
  "people/not-separate": {
    message:
      "需要两个人，而在 {until} UTC 之前，{name} 和 {other} 可能是同一个人：{by} 建立了账号、指定了角色或设置了密码",
    help: "请由账号更早的人决定，或等待；见 docs/guides/governance.md 的 Two people",
  },
  "raise/not-allowed": {
    message: "{name} 不能决定 {account} 的预算",
    help: "须由所有者和委员会中的两人同意，至少一人属于委员会，且都不属于该研究",
  },
  "raise/agreed-already": { message: "{name} 已经对此申请作出决定", help: "须由另一个人同意" },
  "raise/no-raise": { message: "这不会增加 {account} 的预算：{what}", help: "请在“预算”中查看现有多少" },
  "raise/other-policy": {
    message: "策略给 {account} 的是 epsilon {epsilon} 和 delta {delta}，而申请的是别的",
    help: "请所有者先修改策略，再按策略申请",
  },
  "raise/unknown": { message: "没有待定的申请 {id}", help: "请在“预算”中查看有哪些" },
  "raise/no-reasons": { message: "没有写出理由", help: "请用一句话说明；它会写进账本" },
  "study/exists": { message: "已经有研究 {study}", help: "请另选短名" },
  "study/unknown": { message: "没有研究 {study}", help: "请在“研究”中查看有哪些" },
  "study/bad-proposal": { message: "不能提出研究 {study}：{what}", help: "请改正表单后再提出" },
  "study/no-reasons": {
    message: "没有写出关于研究 {study} 的理由",
    help: "请用一句话说明；所有人都可以读到",
  },
  "study/not-allowed": {
    message: "{name} 不能对研究 {study} 做这件事：{move}",
    help: "成员提出、提交和关闭；委员会评审别人的研究；所有者启动",
  },
  "study/wrong-state": {
    message: "研究 {study} 的状态是 {state}，现在不能 {move}",
    help: "只有状态为 {from} 的研究才能 {move}",
  },
  "study/reviewed-already": { message: "{name} 已经评审过研究 {study}", help: "须由委员会的另一位成员同意" },
  "study/not-a-member": { message: "{name} 不属于研究 {study}", help: "请在您所属的研究中提问" },
  "study/not-active": {
    message: "不能在研究 {study} 中提问：{why}",
    help: "请在进行中的研究里提问，或询问所有者",
  },
  "study/none": {
    message: "{name} 不属于任何进行中的研究，而研究之外不能提问",
    help: "请在“研究”中提出一个；由委员会决定",
  },
  "study/several": { message: "有几个研究可以提问：{names}", help: "请选择其中一个" },
  "campaign/unknown": { message: "没有征集 {campaign}", help: "请在“征集”中查看有哪些" },
  "campaign/exists": { message: "已经有征集 {campaign}", help: "请另选短名；设备始终以它辨认征集" },
  "campaign/bad-question": {
    message: "不能提出问题 {question}：{what}",
    help: "每个问题要有自己的名字，以及至少两个不同的选项，或有序的两端",
  },
  "campaign/wrong-state": {
    message: "征集 {campaign} 的状态是 {state}，不能 {move}",
    help: "草稿可以发布，开放的可以暂停或关闭，暂停的可以再发布或关闭",
  },
  "campaign/not-open": {
    message: "征集 {campaign} 不接收报告：它的状态是 {state}",
    help: "请保留报告，等征集开放时再发送，或放弃它",
  },
  "campaign/full": {
    message: "征集 {campaign} 已有计划的 {most} 份报告",
    help: "报告比人多说明有假报告；如果确实有更多人，请计划更大的征集",
  },
  "risk/no-table": { message: "这里没有表 {table}；有的是 {tables}", help: "请从中选择一个" },
  "risk/which-table": { message: "有多个表：{tables}", help: "请说明是哪一个" },
  "risk/no-column": { message: "{table} 没有列 {column}；它有 {columns}", help: "请按表中的写法填写列名" },
  "risk/column-twice": {
    message: "{column} 被填写了两次",
    help: "请只填写一次：外人可能知道的、敏感的，或表示行属于谁的",
  },
  "risk/fact-not-sensitive": {
    message: "攻击要找出的是敏感值，而 {column} 不在敏感列 {sensitive} 之中",
    help: "请把它列为敏感列",
  },
  "risk/no-quasi": {
    message: "从名称看，{table} 没有外人会知道的列",
    help: "请从 {columns} 中选出外人可能知道的列",
  },
  "risk/too-many-columns": {
    message: "外人可能知道的列多于 {most} 个",
    help: "请只选一个外人可能同时知道的列；可以做多份报告",
  },
  "risk/no-people": { message: "{table} 没有任何行", help: "请选择有数据的表" },
  "risk/no-common-columns": { message: "{file} 没有列 {quasi}", help: "请说明哪些列是相同的" },
  "risk/no-fact": {
    message: "没有人具有攻击要查明的 {column} 的值",
    help: "请给出一个敏感列和其中存在的值，或留空",
  },
  "risk/failed": {
    message: "未能读完这张表",
    help: "没有花费任何预算；请检查文件是否完整、服务器是否应答、临时文件夹是否有空间，或给予更多内存",
  },
  "risk/other-source": {
    message: "风险报告由文件或 PostgreSQL 的表生成，而这些数据在 {kind} 中",
    help: "请把表导出为 Parquet，再用该文件生成报告",
  },
  // What only the pages say.
  "web/no-answer": {
    message: "连接在答案到达之前中断了",
    help: "请再问一次：已付费的答案在记录中，免费",
  },
  "web/unexpected": { message: "这里发生了意外的错误", help: "请重新加载页面" },
}
