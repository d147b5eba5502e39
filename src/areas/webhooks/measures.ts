import type { Instant } from '#lib/time.ts'
import type { Measure } from '#platform/area.ts'
import { type Db, read } from '#platform/database/index.ts'

type Waiting = { count: number; lagSeconds: number }

const WAITING = `
  select count(*)::float8 as count,
    coalesce(greatest(extract(epoch from $1::timestamptz - min(created_at)), 0), 0)::float8
      as "lagSeconds"
  from webhooks.deliveries where status = 'pending'`

async function waitingDeliveries(db: Db, now: Instant): Promise<Waiting> {
  const [waiting] = await read<Waiting>(db, WAITING, [now])
  return waiting ?? { count: 0, lagSeconds: 0 }
}

/** Messages still to be sent to other systems. An unavailable receiver makes both grow. */
export const measures: readonly Measure[] = [
  {
    name: 'moorage_webhook_deliveries_waiting',
    help: 'Messages to other systems that have not arrived yet',
    read: async (db, now) => [{ value: (await waitingDeliveries(db, now)).count }],
  },
  {
    name: 'moorage_webhook_lag_seconds',
    help: 'How long the oldest message to another system has waited to arrive',
    read: async (db, now) => [{ value: (await waitingDeliveries(db, now)).lagSeconds }],
  },
]
