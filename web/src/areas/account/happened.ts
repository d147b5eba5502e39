import type { components } from '@moorage/client'
import type { Happened } from '../../texts/happened.ts'

type Entry = Pick<components['schemas']['TimelineEntry'], 'kind' | 'detail'>

/** Kinds whose detail is a name or a number that a customer knows; for other kinds, the detail is a code. */
const NAMED =
  /^(billing\.invoice-(issued|paid)|notifications\.(mailed|told)|orders\.|services\.(made|activated|suspended)|support\.|users\.api-key|rbac\.)/

/** The name of an event: reads of staff and refused changes have names of their own; null for an unknown kind. */
export function eventName({ kind, detail }: Entry, happened: Happened): string | null {
  const isRequest = kind.startsWith('audit.')
  const isRead = isRequest && detail?.startsWith('GET ')
  const isRefused = kind === 'audit.request' && /\s[45]\d\d$/.test(detail ?? '')
  const named = isRead ? `${kind}-read` : isRefused ? `${kind}-refused` : kind
  return Object.entries(happened).find(([name]) => name === named)?.[1] ?? null
}

type Money = (cents: number, currency: string) => string

/** The detail of an event: amounts are formatted, everything else is unchanged. */
export function eventDetail({ detail }: Entry, money: Money): string | null {
  // An amount, its currency, and the kind of booking.
  const amount = /^(-?\d+) ([A-Z]{3})\b/.exec(detail ?? '')
  return amount ? money(Number(amount[1]), amount[2] ?? '') : detail
}

/** Likewise for a customer, without codes that only the service itself understands. */
export function ownDetail(entry: Entry, money: Money): string | null {
  const isAmount = /^-?\d+ [A-Z]{3}\b/.test(entry.detail ?? '')
  return isAmount || NAMED.test(entry.kind) ? eventDetail(entry, money) : null
}
