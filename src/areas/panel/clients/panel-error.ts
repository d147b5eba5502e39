import { type Instant, instant } from '#lib/time.ts'

export type PanelErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'no_capacity'
  | 'no_allocation'
  | 'already_exists'
  | 'invalid'
  | 'conflict'
  /** The panel or one of its machines cannot be reached; a write has certainly not happened. */
  | 'unavailable'
  /** A write was sent, but its result is unknown. */
  | 'unknown_outcome'
  | 'misconfigured'

/** A field the panel refuses, under the panel's own name, and the rule that failed. */
export type RefusedField = { path: string; rule: string; message: string }

/** What operators may see of a failure; nothing of it is shown to customers. */
export type PanelFailure = {
  /** The panel's name for the error, or ours: `http_502`, `timeout`, `breaker_open`. */
  code: string
  detail: string
  at: Instant
}

type Options = {
  code: string
  detail: string
  fields?: RefusedField[] | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

const MAX_DETAIL = 500

/** API keys of panels, and headers with a key, as a panel in debug mode may repeat them. */
const KEYS = /\b(?:ptl[ac]|papp|pacc|peli)_\w+|\bbearer\s+\S+/gi

/** The only error that panel clients throw. */
export class PanelError extends Error {
  readonly kind: PanelErrorKind
  readonly failure: PanelFailure
  /** For `invalid` and `already_exists`. */
  readonly fields: readonly RefusedField[]
  /** For `rate_limited`. */
  readonly retryAfterMs: number | undefined

  constructor(kind: PanelErrorKind, { code, detail, fields = [], retryAfterMs, cause }: Options) {
    const text = detail.replace(KEYS, '[secret]').slice(0, MAX_DETAIL)
    super(`${kind}: ${text}`, { cause })
    this.name = 'PanelError'
    this.kind = kind
    this.failure = { code, detail: text, at: instant(Date.now()) }
    this.fields = fields
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the panel refused this field, by this rule if one is named. */
  refuses(path: string, rule?: string): boolean {
    return this.fields.some((it) => it.path === path && (!rule || it.rule === rule))
  }
}

/** The result of a lookup; undefined for the one error that proves absence. */
export async function orAbsent<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof PanelError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** The result of a call, or the error it failed with, for rules that decide on both. */
export async function outcomeOf<T>(call: Promise<T>): Promise<T | PanelError> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PanelError) return error
    throw error
  }
}
