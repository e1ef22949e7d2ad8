// The clamp around each sum of a printed query, read from its text alone: nothing of the IR, the printer or
// the verifier is asked. A small reader of CASE, CAST, GREATEST, LEAST and COALESCE; it refuses all else.

/** The constants between which a sum's argument lies, by the text. */
export interface PrintedClamp {
  readonly lower: bigint
  readonly upper: bigint
}

type Token = string

/** The clamps of a query's last SELECT, undefined for columns that are no sums. Throws if a sum has none. */
export function printedClamps(sql: string): readonly (PrintedClamp | undefined)[] {
  return lastItems(tokensOf(sql)).map((item) => {
    const inner = withoutCasts(withoutAlias(item))
    if (inner[0]?.toUpperCase() !== "SUM") return undefined
    return clampOf(argumentsOf(inner)[0] ?? [])
  })
}

const tokenPattern =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|<=|>=|<>|\|\||\S/g

function tokensOf(sql: string): readonly Token[] {
  return sql.match(tokenPattern) ?? []
}

// The items between the last SELECT outside of parentheses and its FROM.
function lastItems(tokens: readonly Token[]): readonly (readonly Token[])[] {
  let [depth, from] = [0, -1]
  for (const [index, token] of tokens.entries()) {
    if (token === "(") depth += 1
    if (token === ")") depth -= 1
    if (depth === 0 && token === "SELECT") from = index + 1
  }
  const rest = tokens.slice(from)
  const end = topLevel(rest, "FROM")[0] ?? rest.length
  return split(rest.slice(0, end), ",")
}

/** Where a word stands outside of parentheses and of CASE. */
function topLevel(tokens: readonly Token[], word: string): readonly number[] {
  const found: number[] = []
  let [depth, cases] = [0, 0]
  for (const [index, token] of tokens.entries()) {
    if (token === "(" || token === "[") depth += 1
    if (token === ")" || token === "]") depth -= 1
    if (depth > 0) continue
    if (cases === 0 && token.toUpperCase() === word) found.push(index)
    if (token.toUpperCase() === "CASE") cases += 1
    if (token.toUpperCase() === "END") cases -= 1
  }
  return found
}

function split(tokens: readonly Token[], word: string): readonly (readonly Token[])[] {
  const places = topLevel(tokens, word)
  const starts = [0, ...places.map((place) => place + 1)]
  return starts.map((start, index) => tokens.slice(start, places[index] ?? tokens.length))
}

function withoutAlias(tokens: readonly Token[]): readonly Token[] {
  return tokens.slice(0, topLevel(tokens, "AS").at(-1) ?? tokens.length)
}

/** What stands between the parentheses of a call, argument by argument. */
function argumentsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return tokens[1] === "(" && tokens.at(-1) === ")" ? split(tokens.slice(2, -1), ",") : []
}

const wholeTypes = /^(INTEGER|BIGINT|HUGEINT|NUMERIC|DECIMAL \( 38 , 0 \))$/

/** Without parentheses around it, and without casts to types of whole numbers. */
function withoutCasts(tokens: readonly Token[]): readonly Token[] {
  if (tokens[0] === "(" && tokens.at(-1) === ")" && closes(tokens)) return withoutCasts(tokens.slice(1, -1))
  if (!isCast(tokens[0]) || tokens.at(-1) !== ")" || !closes(tokens.slice(1))) return tokens
  const inner = tokens.slice(2, -1)
  const place = topLevel(inner, "AS").at(-1) ?? -1
  return wholeTypes.test(inner.slice(place + 1).join(" ")) ? withoutCasts(inner.slice(0, place)) : tokens
}

// A cast that gives NULL where it would fail adds nothing there.
function isCast(token: Token | undefined): boolean {
  return token === "CAST" || token === "TRY_CAST"
}

// Whether the first parenthesis is closed by the last token.
function closes(tokens: readonly Token[]): boolean {
  let depth = 0
  return tokens.every((token, index) => {
    if (token === "(") depth += 1
    if (token === ")") depth -= 1
    return depth > 0 || index === tokens.length - 1
  })
}

function clampOf(tokens: readonly Token[]): PrintedClamp {
  const found = clampsIn(withoutCasts(tokens))
  const [first, ...rest] = found ?? []
  if (first === undefined) throw new Error(`a sum without a clamp: ${tokens.join(" ")}`)
  return rest.reduce(
    (a, b) => ({
      lower: a.lower < b.lower ? a.lower : b.lower,
      upper: a.upper > b.upper ? a.upper : b.upper,
    }),
    first,
  )
}

/** Undefined where nothing keeps the value between constants; none for NULL. */
function clampsIn(tokens: readonly Token[]): readonly PrintedClamp[] | undefined {
  if (tokens.join(" ").toUpperCase() === "NULL") return []
  const constant = wholeOf(tokens)
  if (constant !== undefined) return [{ lower: constant, upper: constant }]
  switch (tokens[0]?.toUpperCase()) {
    case "CASE":
      return ofCase(tokens)
    case "COALESCE":
      return together(argumentsOf(tokens).map((argument) => clampsIn(withoutCasts(argument))))
    case "GREATEST": {
      const [low = [], other = [], ...more] = argumentsOf(tokens).map(withoutCasts)
      const [high = []] = other[0]?.toUpperCase() === "LEAST" ? argumentsOf(other).map(withoutCasts) : []
      const [lower, upper] = [wholeOf(low), wholeOf(high)]
      return lower === undefined || upper === undefined || more.length > 0 ? undefined : [{ lower, upper }]
    }
    default:
      return undefined
  }
}

function ofCase(tokens: readonly Token[]): readonly PrintedClamp[] | undefined {
  const inner = tokens.slice(1, -1)
  const [ends, otherwise = []] = split(inner, "ELSE")
  const branches = split(ends ?? [], "WHEN").slice(1)
  const results = branches.map((branch) => {
    const [when = [], result = []] = split(branch, "THEN")
    return clampsIn(withoutCasts(result)) ?? guarded(withoutCasts(result), when)
  })
  return together(otherwise.length === 0 ? results : [...results, clampsIn(withoutCasts(otherwise))])
}

// A value is kept by the condition `value >= low AND value <= high`, or by BETWEEN; so is a whole multiple.
function guarded(value: readonly Token[], when: readonly Token[]): readonly PrintedClamp[] | undefined {
  const [factor = [], times = [], ...more] = split(value, "*").map(withoutCasts)
  const whole = more.length === 0 ? wholeOf(times) : undefined
  if (whole !== undefined && whole >= 0n) {
    return guarded(factor, when)?.map(({ lower, upper }) => ({ lower: lower * whole, upper: upper * whole }))
  }
  const between = split(when, "BETWEEN")
  const parts = split(when, "AND").map((part) => withoutCasts(part))
  const isValue = (other: readonly Token[]): boolean => withoutCasts(other).join(" ") === value.join(" ")
  if (between.length === 2 && isValue(between[0] ?? [])) {
    const [low, high] = split(between[1] ?? [], "AND").map((end) => wholeOf(withoutCasts(end)))
    return low === undefined || high === undefined ? undefined : [{ lower: low, upper: high }]
  }
  const endOf = (operator: string): bigint | undefined =>
    parts
      .map((part) => split(part, operator))
      .filter((sides) => sides.length === 2 && isValue(sides[0] ?? []))
      .map((sides) => wholeOf(withoutCasts(sides[1] ?? [])))[0]
  const [lower, upper] = [endOf(">="), endOf("<=")]
  return lower === undefined || upper === undefined ? undefined : [{ lower, upper }]
}

function wholeOf(tokens: readonly Token[]): bigint | undefined {
  const text = tokens.join("").replace(/^\((.*)\)$/, "$1")
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined
}

function together(
  parts: readonly (readonly PrintedClamp[] | undefined)[],
): readonly PrintedClamp[] | undefined {
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}
