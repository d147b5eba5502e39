import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, type Row, read, type Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

export async function insertChange(tx: Tx, row: Row<'services.recurring'>): Promise<void> {
  await tx.insertInto('services.recurring').values(row).execute()
}

/** The recorded monthly recurring revenue of a service, in cents. */
export async function notedPerMonth(tx: Tx, { tenantId, id }: ServiceKey): Promise<Cents> {
  const { noted } = await tx
    .selectFrom('services.recurring')
    .select(sql<Cents>`coalesce(sum(change_cents), 0)::bigint`.as('noted'))
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .executeTakeFirstOrThrow()
  return noted
}

/** A span of time in which changes are counted, divided into parts. */
export type RecurringSpan = {
  readonly tenantId: string
  /** Changes before `to` count; those before `from` are the starting value. */
  readonly from: Instant
  readonly to: Instant
  readonly interval: 'day' | 'month' | 'quarter'
}

/** The monthly recurring revenue of customers at the start of a span, by currency. */
export function listRecurringBefore(
  db: Db,
  { tenantId, from }: Pick<RecurringSpan, 'tenantId' | 'from'>,
): Promise<{ currency: string; monthlyCents: Cents; customers: number }[]> {
  return read(db, BEFORE, [tenantId, from])
}

const BEFORE = `
  select currency, sum(monthly)::bigint as "monthlyCents",
    count(*) filter (where monthly > 0)::integer as customers
  from (
    select currency, user_id, sum(change_cents) as monthly from services.recurring
    where tenant_id = $1 and created_at < $2 group by currency, user_id
  ) as customer
  group by currency order by currency
`

/**
 * Customers whose monthly recurring revenue was higher or lower at the end of a part of the span than
 * at its start: how many, and by how much, grouped by whether they had any before and after.
 */
export type RecurringChange = {
  readonly startOn: string
  readonly currency: string
  readonly before: boolean
  readonly after: boolean
  /** Whether they had any in an earlier part. */
  readonly ever: boolean
  readonly grew: boolean
  readonly customers: number
  readonly changeCents: Cents
}

/** The changes of a span, by part and currency; a few rows for each, however many customers. */
export function listRecurringChanges(
  db: Db,
  { tenantId, from, to, interval }: RecurringSpan,
): Promise<RecurringChange[]> {
  return read(db, CHANGES, [tenantId, from, to, interval])
}

// Only customers with a change in the span are read. Everything before the span is one part of its own, which only gives
// their starting values.
const CHANGES = `
  with changed as (
    select distinct user_id from services.recurring
    where tenant_id = $1 and created_at >= $2 and created_at < $3
  ), parts as (
    select user_id, currency, part, sum(change_cents) as change from (
      select user_id, currency, change_cents,
        case when created_at < $2 then '-infinity'::timestamp
             else date_trunc($4, created_at at time zone 'UTC') end as part
      from changed join services.recurring using (user_id)
      where tenant_id = $1 and created_at < $3
    ) as cut
    group by user_id, currency, part
  ), running as (
    select part, currency, change, sum(change) over history as after,
      row_number() over history > 1 as ever
    from parts
    window history as (partition by user_id, currency order by part)
  )
  select to_char(part, 'YYYY-MM-DD') as "startOn", currency, after - change > 0 as before,
    after > 0 as after, ever, change > 0 as grew, count(*)::integer as customers,
    sum(change)::bigint as "changeCents"
  from running
  where part > '-infinity' and change <> 0
  group by running.part, running.currency, running.after - running.change > 0, running.after > 0,
    running.ever, running.change > 0
  order by 1, 2, 3, 4, 5, 6
`

/** How many services stopped being recurring revenue, by part, currency and why they ended. */
export function listEndedServices(
  db: Db,
  { tenantId, from, to, interval }: RecurringSpan,
): Promise<{ startOn: string; currency: string; reason: string; services: number }[]> {
  return read(db, ENDED, [tenantId, from, to, interval])
}

const ENDED = `
  select to_char(date_trunc($4, change.created_at at time zone 'UTC'), 'YYYY-MM-DD') as "startOn",
    change.currency, service.end_reason as reason, count(distinct service.id)::integer as services
  from services.recurring as change
  join services.services as service
    on service.tenant_id = change.tenant_id and service.id = change.service_id
  where change.tenant_id = $1 and change.created_at >= $2 and change.created_at < $3
    and change.created_at >= service.ended_at and change.change_cents < 0
  group by 1, 2, 3 order by 1, 2, 3
`
