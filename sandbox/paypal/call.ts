import type { Store } from './store.ts'

/** A request that PayPal says no to. */
export class Refused extends Error {
  readonly status: number
  readonly issue: string
  /** What some parts of the API tell the error by; others have one name for all issues. */
  readonly named: string

  constructor(status: number, issue: string, named = 'UNPROCESSABLE_ENTITY') {
    super(issue)
    this.status = status
    this.issue = issue
    this.named = named
  }
}

export type Call = { method: string; path: string; query: URLSearchParams; body: string }
export type Answer = { status: number; body: object | null }
export type Fields = Record<string, unknown>

/** What a call is answered from. */
export type Place = {
  store: Store
  url: string
  /** Something happened: it is logged, and reported where somebody listens. */
  tell: (type: string, resource: Fields) => void
}

export function ok(body: object, status = 200): Answer {
  return { status, body }
}
