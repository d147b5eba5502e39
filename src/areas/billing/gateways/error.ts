import type { ProviderRef } from './snapshots.ts'

/** What can make another attempt succeed: waiting, another method, the customer's presence, or nothing. */
export type RetryAdvice = 'later' | 'new_method' | 'customer_action' | 'never'

/** Why a provider or bank refused. `code` is for operators; customers see `customerMessageKey`. */
export interface Decline {
  readonly code: string
  /** The card network's own code, if the provider reports it. */
  readonly network?: string
  readonly retry: RetryAdvice
  readonly customerMessageKey: string
}

/**
 * What went wrong, in the words the core acts on.
 *
 * - `declined`, `authentication_required`: the attempt failed; `decline` says what may help
 * - `method_gone`: the saved method no longer works, ask for another
 * - `amount_not_allowed`: too small, too large, or a currency the provider does not take
 * - `already_done`, `wrong_state`: the thing has moved on; read it again
 * - `not_found`: the provider does not know the id (or, for a webhook, no secret is stored)
 * - `invalid_request`: our fault or bad settings; do not repeat
 * - `idempotency_mismatch`: the key was used with other parameters; stop
 * - `in_progress`: a call with this key is still running; the same key again shortly
 * - `rate_limited`: wait `retryAfterMs`
 * - `unavailable`: nothing was changed; may be repeated
 * - `unknown_outcome`: a write may or may not have happened; the same key, then look it up
 * - `credentials`: the key is wrong, of the wrong mode, or lacks rights
 * - `unsupported`: this driver cannot do that
 * - `webhook_rejected`: the message is not authentic
 */
export type GatewayErrorKind =
  | 'declined'
  | 'authentication_required'
  | 'method_gone'
  | 'amount_not_allowed'
  | 'already_done'
  | 'wrong_state'
  | 'not_found'
  | 'invalid_request'
  | 'idempotency_mismatch'
  | 'in_progress'
  | 'rate_limited'
  | 'unavailable'
  | 'unknown_outcome'
  | 'credentials'
  | 'unsupported'
  | 'webhook_rejected'

/** The details of a gateway error beside its kind and message; also its form in logs and rows. */
export interface GatewayErrorDetails {
  readonly retryAfterMs?: number
  readonly decline?: Decline
  /** What the provider created before it refused. */
  readonly ref?: ProviderRef
  readonly providerCode?: string
  readonly providerRequestId?: string
}

export interface GatewayErrorShape extends GatewayErrorDetails {
  readonly kind: GatewayErrorKind
  /** For operators. Never contains a secret. */
  readonly message: string
}

/** The one error a driver throws. It never contains the provider's answer, which may include secrets. */
export class GatewayError extends Error implements GatewayErrorShape {
  readonly kind: GatewayErrorKind
  readonly retryAfterMs?: number
  readonly decline?: Decline
  readonly ref?: ProviderRef
  readonly providerCode?: string
  readonly providerRequestId?: string

  constructor(kind: GatewayErrorKind, message: string, details: GatewayErrorDetails = {}) {
    super(message)
    this.name = 'GatewayError'
    this.kind = kind
    Object.assign(this, details)
  }
}

/** A key of the wrong mode, found before the provider is called; the message says which mode the key has. */
export class KeyForOtherMode extends GatewayError {
  constructor(message: string) {
    super('credentials', message)
  }
}
