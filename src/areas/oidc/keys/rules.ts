import { DAY_MS, type Instant, later } from '#lib/time.ts'

type Facts = { signsAt: Instant }

/** How long a key is published before it signs, so that every client has read it by then. */
const PUBLISHED_MS = DAY_MS
/** How long a key is published after it has signed: a logout may present a long expired ID token. */
const KEPT_MS = 30 * DAY_MS

/** When the next key begins to sign: at once if there is none yet. */
export function signingFrom(newest: Facts | undefined, now: Instant): Instant {
  return newest ? later(now, PUBLISHED_MS) : now
}

/** Whether another key is due. `keys` are all of a tenant, newest first. */
export function isRotationDue(keys: readonly Facts[], days: number, now: Instant): boolean {
  const [newest] = keys
  return !newest || later(newest.signsAt, days * DAY_MS - PUBLISHED_MS) <= now
}

/**
 * The keys to publish, the signing one first, from all of a tenant, newest first. A key ends a
 * while after the next one began to sign.
 */
export function publishedKeys<K extends Facts>(keys: readonly K[], now: Instant): K[] {
  const signing = keys.findIndex(({ signsAt }) => signsAt <= now)
  const published = keys.filter((_key, index) => !hasEnded(keys, index, now))
  const first = keys[signing]
  return first ? [first, ...published.filter((key) => key !== first)] : published
}

/** Those of a tenant's keys, newest first, that are not needed any more. */
export function endedKeys<K extends Facts>(keys: readonly K[], now: Instant): K[] {
  return keys.filter((_key, index) => hasEnded(keys, index, now))
}

function hasEnded(keys: readonly Facts[], index: number, now: Instant): boolean {
  const next = keys[index - 1]
  return next !== undefined && later(next.signsAt, KEPT_MS) <= now
}
