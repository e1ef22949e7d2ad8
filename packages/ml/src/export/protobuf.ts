// Protocol buffers, as much of them as a model needs: fields of whole numbers, bytes and messages.
// https://protobuf.dev/programming-guides/encoding

// Only what is used of the platform, declared by hand: no DOM or Node types are let in.
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** One field, encoded. */
export type Field = readonly number[] | Uint8Array

/** A field that holds a whole number from 0 up. */
export function wholeField(place: number, value: number): Field {
  return [...varint(place * 8), ...varint(value)]
}

/** A field that holds bytes: raw ones, a text, or the fields of a message. */
export function bytesField(place: number, content: Uint8Array | string | readonly Field[]): Field {
  const bytes =
    typeof content === "string"
      ? new TextEncoder().encode(content)
      : content instanceof Uint8Array
        ? content
        : messageOf(content)
  return messageOf([varint(place * 8 + 2), varint(bytes.length), bytes])
}

/** The fields of a message, one after the other. */
export function messageOf(fields: readonly Field[]): Uint8Array {
  const message = new Uint8Array(fields.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const field of fields) {
    message.set(field, at)
    at += field.length
  }
  return message
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}
