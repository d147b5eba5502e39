import type { Instant } from '#lib/time.ts'
import type { Measure } from '#platform/area.ts'
import { type Db, read } from '#platform/database/index.ts'

type Waiting = { count: number; lagSeconds: number }

// The seconds are measured by the clock of the service, which also set the times of the rows.
const EVENTS = `
  select count(*)::float8 as count,
    coalesce(greatest(extract(epoch from $1::timestamptz - min(received_at)), 0), 0)::float8
      as "lagSeconds"
  from billing.provider_events where state = 'new'`
const BREAKS = 'select count(*)::float8 as count from billing.breaks where resolved_at is null'

async function waitingEvents(db: Db, now: Instant): Promise<Waiting> {
  const [waiting] = await read<Waiting>(db, EVENTS, [now])
  return waiting ?? { count: 0, lagSeconds: 0 }
}

/** Unprocessed reports of payment providers, and differences between their books and ours. */
export const measures: readonly Measure[] = [
  {
    name: 'moorage_provider_events_waiting',
    help: 'Messages of payment providers that are not read yet',
    read: async (db, now) => [{ value: (await waitingEvents(db, now)).count }],
  },
  {
    name: 'moorage_provider_events_lag_seconds',
    help: 'How long the oldest message of a payment provider has waited to be read',
    read: async (db, now) => [{ value: (await waitingEvents(db, now)).lagSeconds }],
  },
  {
    name: 'moorage_breaks_open',
    help: 'Where the books of a payment provider and ours differ, and nobody has looked yet',
    async read(db) {
      const [open] = await read<{ count: number }>(db, BREAKS, [])
      return [{ value: open?.count ?? 0 }]
    },
  },
]
