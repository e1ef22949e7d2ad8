// Forms that two of the databases share.

/** Microseconds as seconds in a type, with six digits after the point. */
export function secondsOf(micros: string, type: string): string {
  const unit = "CAST('0.000001' AS DECIMAL(18, 6))"
  return `CAST((CAST(${micros} AS DECIMAL(38, 0)) * CAST(${unit} AS DECIMAL(38, 6))) AS ${type})`
}
