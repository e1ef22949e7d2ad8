// What entries are found by, as texts.

/** The key of a principal's request. */
export function requestKey(key: { readonly principal: string; readonly requestId: string }): string {
  return JSON.stringify([key.principal, key.requestId])
}

/** The key of a question. */
export function questionKey(key: { readonly planHash: string; readonly dataVersion: string }): string {
  return JSON.stringify([key.planHash, key.dataVersion])
}
