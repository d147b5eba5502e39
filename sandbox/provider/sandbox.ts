import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Store } from './store.ts'

/** The account's keys. All of them are test keys. */
export type Keys = { accountId: string; secretKeys: string[]; publishableKey: string }

/** One running sandbox: what every operation reads and changes. */
export type Sandbox = {
  store: Store
  clock: Clock
  keys: Keys
  /** Where browsers reach it, without a slash at the end. Known once it listens. */
  publicUrl: string
  /** How long a delayed payment method takes, by the sandbox's clock. */
  delayedPaymentMs: number
  /** The API request being answered: events name it. */
  request: { id: string; idempotency_key: string | null } | null
  /** Ids of events that were announced and not yet planned for delivery. */
  announced: string[]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` letters and digits nobody can guess. */
export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** A new id: `pi_` and 24 letters. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

/** Every field an object is made with: its time, and that no real money moves. */
export function born({ clock }: Sandbox): { created: number; livemode: false } {
  return { created: clock.seconds(), livemode: false }
}

/** Metadata after an update: an empty text removes a key, an empty whole removes all. */
export function mergedMetadata(
  old: Record<string, string> | null,
  change: Record<string, string | number | null> | '' | null | undefined,
): Record<string, string> {
  if (change === '' || change === null) return {}
  const merged = { ...old }
  for (const [key, value] of Object.entries(change ?? {})) {
    if (value === '' || value === null) delete merged[key]
    else merged[key] = String(value)
  }
  return merged
}

type Unset<T> = { [K in keyof T]?: Exclude<T[K], '' | undefined> | null }

/** The fields that were given; an empty text, which asks for none, becomes null. */
export function unsetEmpty<T extends object>(given: T): Unset<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  const unset = entries.map(([key, value]) => [key, value === '' ? null : value])
  return Object.fromEntries(unset)
}
