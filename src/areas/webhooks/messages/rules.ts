import { type Instant, instant, later } from '#lib/time.ts'
import { VERSION } from '../catalogue/schema.ts'

/** The text that is sent, exactly the same at every attempt. */
export function bodyOf(
  type: string,
  data: Readonly<Record<string, unknown>>,
  timestamp: Instant,
): string {
  return JSON.stringify({ type, version: VERSION, timestamp, data })
}

/**
 * When an event was written, by its UUIDv7: `now` may be much later, if the job had to wait.
 * `aheadMs` is how far our clock is ahead of the machine's.
 */
export function writtenAt(id: string, aheadMs: number, now: Instant): Instant {
  const at = later(instant(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)), aheadMs)
  return at < now ? at : now
}
