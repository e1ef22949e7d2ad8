// What this is.

/** The library, for receipts. */
export const library = "dosimeter 0.1.0"
