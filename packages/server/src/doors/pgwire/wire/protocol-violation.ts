// What a client may not send. The connection ends with it; the message holds nothing of what was sent.

/** The client does not keep to the protocol. */
export class ProtocolViolation extends Error {
  override readonly name = "ProtocolViolation"
}
