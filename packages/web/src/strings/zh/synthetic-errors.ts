// What is refused of synthetic rows, in Simplified Chinese, by the codes of docs/errors.md.

import type { ErrorText } from "./compiler-errors.ts"

/** The texts by their codes. */
export const syntheticErrorsZh: Readonly<Record<string, ErrorText>> = {
  "synthetic/what": {
    message: "无法生成这样的合成行：{what}",
    help: "请指明一张表及其列，也可以加上第二张表",
  },
  "synthetic/several-rows": {
    message: "没有证明 {table} 中每个单位只有一行",
    help: "请选择每人一行的表，把 {table} 作为第二张表",
  },
  "synthetic/needs-gaussian": {
    message: "合成行要测量许多表，纯 ε 的预算会因此用尽",
    help: "请所有者使用 accounting: gdp 或 zcdp 的预算",
  },
  "synthetic/unbounded-column": {
    message: "{name} 没有声明取值或范围，它的合成值只能来自数据",
    help: "请去掉 {name}，或请所有者为它声明取值，或最小值和最大值",
  },
  "synthetic/too-many-columns": {
    message: "一组合成行有 {got} 列太多；最多 {limit} 列",
    help: "请去掉不需要的列：每一列都要分走一部分损失",
  },
  "synthetic/same-name": { message: "有两列都叫 {name}", help: "请给其中一列另取名字" },
  "synthetic/bad-rule": {
    message: "这不是关于两列的规则：{rule}",
    help: '请写成 "age < 16 => employed = no"；每一边可用 <、<=、>、>=、=、!=、in (a, b)、is missing 或 is not missing',
  },
  "synthetic/unknown-column": {
    message: "规则 {rule} 提到 {column}，而行中没有这一列",
    help: "请把 {column} 加入各列，或去掉这条规则",
  },
  "synthetic/rule-never-met": {
    message: "规则 {rule} 中，{column} 的任何取值都不满足它那一边",
    help: "请与这一列声明过的取值比较",
  },
  "synthetic/rules-contradict": {
    message: "没有任何一行能同时遵守所有这些规则",
    help: "请去掉一条规则：有两条互相矛盾，或使某列没有取值可用",
  },
  "synthetic/rules-too-wide": {
    message: "这些规则把太多列的太多取值联系在一起",
    help: "请减少规则，或只写取值较少的列",
  },
}
