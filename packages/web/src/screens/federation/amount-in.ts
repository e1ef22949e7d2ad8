// Amounts of federated receipts are decimals or exact fractions.

/** About the number that an amount is. */
export function amountIn(text: string): number {
  const [above = "", below] = text.split("/")
  if (below === undefined) return Number(above)
  // Both may be longer than any double.
  const scale = Math.max(0, below.length - 15)
  const cut = (digits: string): number => Number(digits) / 10 ** scale
  return below.length > 290 || above.length > 290
    ? (Number(above.slice(0, 15)) / Number(below.slice(0, 15))) * 10 ** (above.length - below.length)
    : cut(above) / cut(below)
}
