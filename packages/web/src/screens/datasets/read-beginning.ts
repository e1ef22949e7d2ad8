// The first part of a file that was chosen, as text. It stays in this page.

/** How many characters are read: enough for names and types. */
const charactersMax = 2_000_000

/** A part of a file, and whether it is all of it. */
export interface Beginning {
  readonly text: string
  readonly isWhole: boolean
}

/** Reads the beginning of a file; rejects if the file cannot be read. */
export async function readBeginning(file: File): Promise<Beginning> {
  const bytes = /\.gz$/i.test(file.name)
    ? file.stream().pipeThrough(new DecompressionStream("gzip"))
    : file.stream()
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  while (text.length < charactersMax) {
    const { value, done } = await reader.read()
    if (done) return { text, isWhole: true }
    text += value
  }
  await reader.cancel()
  return { text, isWhole: false }
}
