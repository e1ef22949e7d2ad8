// What the compiler and the reader of policies say, in Simplified Chinese, by the codes of docs/errors.md.
// Names in braces are facts of an error; a remedy that is not here is the compiler's own, in English.

/** What went wrong, and what to do. */
export interface ErrorText {
  readonly message: string
  readonly help?: string
}

/** The texts of language, policy, planner and proof by their codes. */
export const compilerErrorsZh: Readonly<Record<string, ErrorText>> = {
  "sql/syntax": { message: "SQL 语法有误：{reason}", help: "请在标记处改正；语言是 PostgreSQL 18 的 SQL" },
  "sql/too-long": {
    message: "SQL 有 {got} 字节，最多允许 {limit} 字节",
    help: "请缩短：把很长的取值列表放进公开表再连接",
  },
  "sql/too-deep": {
    message: "SQL 嵌套过深",
    help: "用 WITH 给内层查询命名，用 IN 列表代替很长的运算链，去掉多余括号",
  },
  "sql/bad-character": { message: "SQL 中含有 {character}，它不是文本", help: "请删去标记处的字符" },
  "sql/name-too-long": {
    message: "这个名字有 {got} 字节，PostgreSQL 会悄悄截为 {limit} 字节",
    help: "请使用不超过 {limit} 字节的名字",
  },
  "sql/several-statements": { message: "有 {count} 条语句，而一次只回答一条", help: "请逐条发送" },
  "sql/no-statement": { message: "SQL 中没有语句", help: "请写一个查询，例如 SELECT COUNT(*) FROM visits" },
  "sql/not-a-query": {
    message: "{statement} 不是查询，这里只回答查询",
    help: "请用 SELECT、WITH ... SELECT 或 VALUES 提问，或在前面加 EXPLAIN",
  },
  "sql/unsupported-syntax": { message: "不支持 {what}" },
  "sql/unknown-table": { message: "没有表 {name}", help: "也许是 {near}" },
  "sql/unknown-column": { message: "这里没有列 {name}", help: "也许是 {near}" },
  "sql/ambiguous-column": {
    message: "{name} 可能是 {tables} 的列",
    help: "请在前面写上表名，例如 t.{name}",
  },
  "sql/duplicate-alias": {
    message: "{name} 在同一个名字列表中出现了两次",
    help: "请给其中一个另取名字，例如 AS {name}_2",
  },
  "sql/unknown-function": { message: "没有我们认识的函数 {name}", help: "也许是 {near}" },
  "sql/type-mismatch": { message: "类型不合：{reason}" },
  "sql/may-overflow": { message: "结果可能溢出：{reason}" },
  "sql/bad-literal": { message: "'{text}' 不是 {type}", help: "请写成 {form}" },
  "sql/parameter-missing": { message: "{name} 没有值", help: "请随查询一起发送 {name} 的值" },
  "sql/not-grouped": {
    message: "{name} 既不在 GROUP BY 中，也不在聚合函数里",
    help: "请把 {name} 加进 GROUP BY，或对它做聚合",
  },
  "sql/misplaced": { message: "{what} 不能出现在这里：{where}" },
  "sql/wrong-count": { message: "数目不对：{what}" },
  "sql/too-much-work": { message: "每个人的数据在这个查询中可能造成的工作量过大：{problem}" },
  "sql/too-many": { message: "查询中的 {what} 超过 {limit} 个" },
  "sql/correlated": {
    message: "{name} 属于外层查询，只有子查询的 WHERE 可以使用它",
    help: "请把比较移到子查询的 WHERE 中，用 AND 连接，或改写为连接",
  },
  "sql/clock": {
    message: "{name} 取决于提问的时间，而答案不应如此",
    help: "请写出日期，例如 DATE '2024-12-31'，或作为 $1 传入",
  },
  "privacy/denied-column": {
    message: "数据所有者不允许使用 {name}",
    help: "请去掉它，或请所有者在策略中允许",
  },
  "privacy/join-unbounded": {
    message: "{left} 和 {right} 的行可能属于不同的单位（{unit}），一个单位就可能影响许多其他单位",
  },
  "privacy/unit-lost": { message: "无法再知道每一行属于谁：{what}" },
  "privacy/released-into-private": {
    message: "{what} 把已发布的结果与个人的行混在一起",
    help: "请让结果与结果连接，或分两次提问，把第一个答案写进第二个问题",
  },
  "privacy/unbounded-sum": {
    message: "{what} 没有界限，一个 {unit} 就能无限制地改变它",
    help: "请加上 CLAMP 界限，或请所有者声明该列的界限：{remedy}",
  },
  "privacy/free-text-key": {
    message: "{name} 是自由文本，一个组可能就是关于某个人的一句话",
    help: "请按代码或类别分组，或用 CASE WHEN ... LIKE ... THEN 'name' ELSE 'other' END",
  },
  "privacy/window-over-everyone": {
    message: "{what} 会看到其他单位（{unit}）的行",
    help: "请加上 PARTITION BY {unit}，或对结果使用窗口",
  },
  "privacy/limit-inside": {
    message: "在个人的行中使用 {what} 会使一行取决于所有其他行",
    help: "请用 ROW_NUMBER() OVER (PARTITION BY {unit} ORDER BY ...) 编号并保留前几行，或截取结果",
  },
  "privacy/rows-selected": {
    message: "这会给出个人的行：{what}",
    help: "请做聚合，例如 SELECT COUNT(*) FROM ...，或 AVG(x) 配合 GROUP BY",
  },
  "privacy/scalar-over-people": { message: "子查询在个人的行上取一个值：{what}" },
  "privacy/row-unit": {
    message: "{table} 的每一行自成一个单位，所以不能 {what}",
    help: "请直接筛选和聚合，或请所有者声明单位列",
  },
  "privacy/no-delta-for-keys": {
    message: "这个问题的分组来自数据，而策略没有留出用于选取分组的 delta",
    help: "请按取值已列出或处于声明范围内的列分组（组合不超过 10,000 个）；或请所有者提供 {remedy}",
  },
  "privacy/rows-multiplied": {
    message: "连接可能重复 {table} 的行，而它的每一行都单独受保护",
    help: "请把 {table} 与公开表按对方键的全部列连接，且不要放在 UNION 中",
  },
  "privacy/bounds-too-wide": {
    message: "{what} 的界限对其精度来说太宽：超过 2^62 步",
    help: "{remedy}，或请所有者采用更粗的精度",
  },
  "series/not-a-series": {
    message: "序列是每日、周、月、季或年的一个计数或求和",
    help: "请写 SELECT date_trunc('week', visit_date), COUNT(*) FROM visits GROUP BY 1",
  },
  "series/rows-may-vanish": {
    message: "增加其他行时，这个问题的行可能消失，一个人可能被重新计入",
    help: "请只用对行的条件和内连接：不用外连接、EXISTS、窗口、内层 GROUP BY 或同意",
  },
  "series/beyond-range": {
    message: "要求 {wanted} 个周期，而该日期声明的范围从 {from} 起只有 {found} 个",
    help: "请减少周期，或请所有者为该日期声明更晚的 max",
  },
  "ask/too-large": {
    message: "{name} 为 {got}，而所有者允许每个问题至多 {limit}",
    help: "请以不超过 {limit} 的 {name} 提问",
  },
  "ask/too-small": {
    message: "{name} 为 {got}，最小为 {least}",
    help: "请给 {name} 一个不小于 {least} 的数",
  },
  "ask/not-positive": { message: "{name} 必须大于 0", help: "请给 {name} 一个大于 0 的数，或留空" },
  "ask/no-such-column": { message: "答案中没有可加权的列 {name}", help: "请写其中之一：{columns}" },
  "bug/plan-rejected": {
    message: "无法证明该方案是私密的：{what}",
    help: "请连同 SQL 报告此问题；没有读取数据，也没有扣除预算",
  },
  "sql/grammar-failed": {
    message: "PostgreSQL 语法分析器没有给出结果就停止了",
    help: "请连同 SQL 报告此问题并重新加载；没有发布答案",
  },
  "policy/syntax": { message: "策略不是有效的 YAML：{reason}", help: "请在标记处改正；也接受 JSON" },
  "policy/too-long": {
    message: "策略有 {got} 字节，最多允许 {limit} 字节",
    help: "请去掉没有人问到的表和列：没有写出的就不能问",
  },
  "policy/too-deep": {
    message: "策略嵌套过深",
    help: "请从 `dosimeter init` 写出的内容开始：策略不需要超过六层",
  },
  "policy/unsupported-yaml": { message: "策略使用了 {what}，读者可能会忽略它", help: "请在需要处直接写出值" },
  "policy/unknown-key": { message: "{where} 没有键 {key}", help: "请写 {known}" },
  "policy/duplicate": { message: "{what} 出现了两次", help: "请保留其中一个" },
  "policy/missing": { message: "{where} 需要 {key}，它没有默认值", help: "请写 {example}" },
  "policy/wrong-value": { message: "{where} 是 {got}，应为 {expected}", help: "请写 {expected}" },
  "policy/out-of-range": {
    message: "{where} 是 {got}，必须为 {range}",
    help: "请选择 {where}，使其为 {range}",
  },
  "policy/min-above-max": {
    message: "{where} 的最小值 {min} 大于最大值 {max}",
    help: "请交换两者，或改正其中一个",
  },
  "policy/above-limit": {
    message: "{where} 是 {got}，超过了 {other} 的 {limit}",
    help: "请把 {where} 写成不超过 {limit}",
  },
  "policy/unknown-pack": {
    message: "没有模式包 {name}",
    help: "请写 {known}，或去掉 schema 并描述各表",
  },
  "policy/unknown-table": {
    message: "{where} 提到表 {table}，而策略没有描述它",
    help: "请写 {known}，或在 tables 下描述该表",
  },
  "policy/unknown-column": {
    message: "表 {table} 没有列 {column}",
    help: "请写 {known}，或在 columns 下描述该列",
  },
  "policy/not-in-source": {
    message: "数据源没有 {what}",
    help: "请写 {known}，用 source: 指明，或删去该行",
  },
  "policy/no-type": {
    message: "没有说明 {column} 的类型",
    help: "请写 type: integer（或 text、date 等），或让 `dosimeter init` 从数据源读取类型",
  },
  "policy/unsupported-type": {
    message: "数据源把 {column} 存为 {type}，无法对它提问",
    help: "请删去该行，或把该列存为数字、文本、日期或时间戳",
  },
  "policy/type-differs": {
    message: "{column} 是 {type}，而 {other} 是 {otherType}",
    help: "请写 type: {otherType}，或以同一类型存储两者",
  },
  "policy/not-applicable": {
    message: "{key} 对 {column} 没有意义，它是 {type}",
    help: "请删去 {key}，或改正类型",
  },
  "policy/bad-path": {
    message: "路径 {path} 不通向任何人：{reason}",
    help: "请写一列（patient_id）、一条路径（order_id -> orders.id -> patient_id）、row 或 public",
  },
  "policy/path-cycle": {
    message: "从 {table} 到其单位的路径成了环：{path}",
    help: "请让路径终止于保存单位编号的列",
  },
  "policy/unit-type": {
    message: "{column} 用来区分单位，而它是 {type}",
    help: "请使用整数或文本列：其他值不能精确读回",
  },
  "policy/mixed-units": {
    message: "{table} 的每一行是一个单位，而 {other} 属于人",
    help: "请让数据集中所有私密表使用同一单位，或把它放进单独的数据集",
  },
  "policy/inexact-key": {
    message: "{column} 用来区分行或单位，但 {reason}",
    help: "键和编号应为整数或文本，不带 min、max、grid 或 values",
  },
  "policy/unit-denied": {
    message: "{column} 是单位的编号，计数时需要它",
    help: "请去掉 deny：单位的编号从不显示，只用于计数",
  },
}
