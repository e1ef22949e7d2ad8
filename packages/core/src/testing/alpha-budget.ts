// Adds up the false-alarm rates of the statistical assertions that ran, so that the suite's sum can be
// tested.

let spent = 0

/** Adds the false-alarm rate of one assertion. */
export function spendAlpha(alpha: number): void {
  if (!(alpha > 0 && alpha <= 1)) throw new Error(`alpha must lie in (0, 1]: ${alpha}`)
  spent += alpha
}

/** Returns what was spent since the last call, and starts again from zero. */
export function drainAlpha(): number {
  const drained = spent
  spent = 0
  return drained
}
