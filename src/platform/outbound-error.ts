export type OutboundErrorKind =
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'reset'

/**
 * A call without a complete response. `sent` tells whether the other side may have read the
 * request: if it is false, nothing has happened there.
 */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind
  readonly sent: boolean

  constructor(kind: OutboundErrorKind, message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
    this.kind = kind
    this.sent = sent
  }
}
