// Which values of an attribute stand together in larger tables: values that are rare beside the noise drown
// there, and are told apart in the attribute's own table only.

/** What is known of an attribute when its values are grouped. */
export interface Grouped {
  /** Noisy counts, one for each value. */
  readonly counts: Float64Array
  /** Whether values have an order, so that neighbours are grouped; a last value that is missing has none. */
  readonly isOrdered: boolean
  readonly hasMissing: boolean
  /** Values of different classes are never grouped: some rule tells them apart. */
  readonly classes: readonly number[]
}

/** How groups are made. */
export interface GroupLimits {
  readonly groupsMax: number
  /** A group has at least so many rows, where that can be. */
  readonly least: number
}

/** Tables of close pairs have at most so many groups of each attribute, but for what rules tell apart. */
export const closeGroupsMax = 16

/** No counts make more groups of an attribute than this: known before anything is measured. */
export function groupsAtMost({ isOrdered, hasMissing, classes }: Omit<Grouped, "counts">): number {
  const values = classes.slice(0, hasMissing ? -1 : undefined)
  // A value that fills a group by itself may end the one before it, so there are two for each full one.
  const runs = values.filter((one, place) => place > 0 && one !== values[place - 1]).length
  const most = isOrdered ? 2 * closeGroupsMax + 1 + runs : closeGroupsMax - 1 + new Set(values).size
  return Math.min(values.length, most) + (hasMissing ? 1 : 0)
}

/** The group of each value, numbered from 0. */
export function groupValues(grouped: Grouped, limits: GroupLimits): readonly number[] {
  const { counts, isOrdered, hasMissing } = grouped
  const values = counts.length - (hasMissing ? 1 : 0)
  const groups = isOrdered ? orderedGroups(grouped, values, limits) : listedGroups(grouped, values, limits)
  return hasMissing ? [...groups, Math.max(-1, ...groups) + 1] : groups
}

function orderedGroups(
  { counts, classes }: Grouped,
  values: number,
  { groupsMax, least }: GroupLimits,
): readonly number[] {
  const positive = counts.slice(0, values).map((count) => Math.max(0, count))
  const total = positive.reduce((sum, count) => sum + count, 0)
  const wanted = Math.max(least, total / groupsMax)
  const groups: number[] = []
  let [group, held] = [0, 0]
  for (const [value, count] of positive.entries()) {
    const isOther = value > 0 && classes[value] !== classes[value - 1]
    // A value that fills a group by itself stands alone, and so does what was before it.
    const isFull = held >= wanted || (count >= wanted && held >= least)
    if (value > 0 && (isOther || isFull)) {
      group += 1
      held = 0
    }
    held += count
    groups.push(group)
  }
  // What is left over at the end is too little for a group.
  const first = groups.indexOf(group)
  if (group > 0 && held < least && classes[first] === classes[first - 1]) {
    return groups.map((one) => Math.min(one, group - 1))
  }
  return groups
}

// The largest stand alone; of each class, what is left stands together.
function listedGroups(
  { counts, classes }: Grouped,
  values: number,
  { groupsMax, least }: GroupLimits,
): readonly number[] {
  const order = Array.from({ length: values }, (_, value) => value).toSorted(
    (a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b,
  )
  const isWhole = values <= groupsMax
  const alone = new Set(
    order.filter((value, place) => (counts[value] ?? 0) >= least && (isWhole || place < groupsMax - 1)),
  )
  const numbers = new Map<string, number>()
  return Array.from({ length: values }, (_, value) => {
    const name = alone.has(value) ? `value ${value}` : `class ${classes[value] ?? 0}`
    const known = numbers.get(name) ?? numbers.size
    numbers.set(name, known)
    return known
  })
}

/** The groups of values, where groups themselves are grouped. */
export function groupsOfGroups(groups: readonly number[], ofGroups: readonly number[]): readonly number[] {
  return groups.map((group) => ofGroups[group] ?? 0)
}
