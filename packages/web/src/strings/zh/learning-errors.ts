// What is said about synthetic rows and models, in Simplified Chinese, by the codes of docs/errors.md.

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

/** The texts by their codes. */
export const trainingErrorsZh: Readonly<Record<string, ErrorText>> = {
  "training/unknown-model": { message: "这里没有名为 {model} 的模型", help: "可用的模型：{served}" },
  "training/no-target": {
    message: "SELECT 中没有要预测的列 {target}",
    help: "请在 SELECT 的列中，在特征之外加上 {target}",
  },
  "training/needs-target": {
    message: "{model} 模型用其他列来预测一列，但没有指明是哪一列",
    help: "请指明 SELECT 中作为目标的列",
  },
  "training/without-target": {
    message: "{model} 不预测任何列，因此没有目标",
    help: "请去掉目标：SELECT 的所有列都一样对待",
  },
  "training/no-count": {
    message: "{model} 模型没有主成分或组的数量可选",
    help: "请去掉数量：它只用于 components 和 k-means",
  },
  "training/same-name": {
    message: "有两列都叫 {name}",
    help: "请给其中一列另取名字：SELECT {name} AS other_name",
  },
  "training/no-number": {
    message: "{name} 的类型是 {type}，没有列出的取值，而模型读取的是数字",
    help: "请去掉 {name}，或把它变成数字，例如 EXTRACT(YEAR FROM {name})，或请所有者列出它的取值",
  },
  "training/not-rows": {
    message: "这个 SELECT 没有给出每个 {unit} 自己的行",
    help: "请选择每个 {unit} 一行的表中的列，或按 {unit} 的编号 GROUP BY",
  },
  "training/several-rows": {
    message: "无法证明这个 SELECT 中每个 {unit} 只有一行",
    help: "请让每个 {unit} 只有一行：使用以 {unit} 为键的表，或按 {unit} 的编号 GROUP BY",
  },
  "training/needs-gaussian": {
    message: "模型要训练许多轮，纯 epsilon 的预算会因此用尽",
    help: "请向所有者申请 accounting: gdp 或 accounting: zcdp 的预算",
  },
  "training/rounds": {
    message: "这样的训练有 {least} 到 {most} 轮，而不是 {got} 轮",
    help: "请不要填写轮数：通常的轮数适合大多数模型",
  },
  "training/no-model": {
    message: "{file} 中没有在这里训练的模型",
    help: "请指定 dosimeter train --out 写出的文件",
  },
  "model/unbounded-feature": {
    message: "{name} 没有声明范围，一个人可以无限地改变模型",
    help: "请写 CLAMP({name}, low, high)，或请所有者为 {name} 声明 min 和 max",
  },
  "model/constant-feature": {
    message: "{name} 只能有一个取值，所以它什么也说明不了",
    help: "请去掉 {name}：每个模型都有自己的截距",
  },
  "model/no-features": {
    message: "除目标之外，模型至少需要一个特征",
    help: "请再选择至少一列数字或类别",
  },
  "model/one-class": {
    message: "{name} 只有一个类别，所以没有什么可以区分",
    help: "请换一个有两个或更多取值的目标来代替 {name}",
  },
  "model/too-many-features": {
    message: "模型有 {got} 个特征，而最多拟合 {limit} 个",
    help: "请最多选择 {limit} 个特征",
  },
  "model/wrong-target": {
    message: "这个目标不适合 {family} 模型",
    help: "请换一个目标，或换一个模型：linear、logistic、multinomial、poisson、boosting 或 bayes",
  },
}
