// Numbers as people read them.

/** A number for people: four digits that count, thousands apart. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return `${value}`
  const digits = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4))
  const text = `${digits}`
  if (text.includes("e")) return text
  const [whole = "", part] = text.split(".")
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")
  return part === undefined ? grouped : `${grouped}.${part}`
}
