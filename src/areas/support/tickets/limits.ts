import { Problem } from '#lib/problem.ts'
import { DAY_MS, HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { isProven, type UserRow } from '#users'
import { listWritingTimes } from '../messages/queries.ts'
import { countLiveTickets, listOpeningTimes } from './queries.ts'
import { LIMITS, secondsUntilAllowed, TICKET_WINDOWS } from './rules.ts'

/**
 * Throws 429 if a person has opened as many tickets as they may (T20). Their row is locked by the caller, so that
 * two requests at the same time cannot both be the last one allowed.
 */
export async function assertMayOpen(tx: Tx, user: UserRow, now: Instant): Promise<void> {
  const key = { tenantId: user.tenantId, userId: user.id }
  const since = later(now, -DAY_MS)
  const times = await listOpeningTimes(tx, key, { since, limit: LIMITS.ticketsADay })
  refuse(secondsUntilAllowed(times, TICKET_WINDOWS, now))
  const most = isProven(user) ? LIMITS.open : LIMITS.openUnconfirmed
  if ((await countLiveTickets(tx, key)) >= most) refuse(HOUR_MS / SECOND_MS)
}

/** Throws 429 if a person has written as much as they may, on this ticket or on all. */
export async function assertMayWrite(
  tx: Tx,
  key: { tenantId: string; userId: string },
  ticketId: string,
  now: Instant,
): Promise<void> {
  const since = later(now, -HOUR_MS)
  for (const [scope, most] of [
    [{ ticketId }, LIMITS.messagesAnHourOnTicket],
    [{}, LIMITS.messagesAnHour],
  ] as const) {
    const times = await listWritingTimes(tx, key, { ...scope, since, limit: most })
    refuse(secondsUntilAllowed(times, [{ most, ms: HOUR_MS }], now))
  }
}

function refuse(seconds: number | null): void {
  if (seconds === null) return
  throw new Problem(429, 'You have written as much as is allowed for now. Try again later.', {
    code: 'limit_reached',
    headers: { 'retry-after': String(seconds) },
  })
}
