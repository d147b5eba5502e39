import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'
import { staged } from '../writing/rows.ts'

export const COMPARED = ['invoices', 'people', 'prices', 'services'] as const
export type Compared = (typeof COMPARED)[number]

/** The hash of columns; `also`, a text, changes it only if it is not null. */
const hashOf = (columns: readonly string[], also = 'null') =>
  sql.raw(
    `md5(row(${columns.map((it) => `item.${it}`).join(', ')})::text || coalesce(${also}, ''))::uuid`,
  )

const NONE = sql`null::bigint`

/**
 * The rows of a dump that are compared: the resource under which they are staged, their hash, their amount
 * and other facts.
 */
const TAKEN = {
  people: {
    resource: 'clients',
    hash: hashOf([
      ...['email', 'name', 'company', 'address_line1', 'address_line2', 'city', 'region'],
      ...['postcode', 'country', 'phone', 'tax_number', 'tax_exempt', 'credit', 'status'],
    ]),
    amount: sql`item.credit`,
    facts: sql`item.status`,
  },
  services: {
    resource: 'services',
    hash: hashOf(
      [
        ...['client', 'product', 'name', 'amount', 'months', 'cycle', 'next_due_at', 'state'],
        ...['ended_at', 'quantity', 'coupon', 'promotion', 'subscription', 'overdue'],
        ...['cancel', 'coupons'],
      ],
      'item.choices',
    ),
    amount: sql`item.amount`,
    facts: sql`concat_ws(' ', item.state, item.cycle,
      to_char(item.next_due_at at time zone 'UTC', 'YYYY-MM-DD'), 'cancel ' || nullif(item.cancel, ''))`,
  },
  invoices: {
    resource: 'invoices',
    hash: hashOf([
      ...['client', 'number', 'issued_at', 'due_at', 'paid_at', 'subtotal', 'credit', 'tax'],
      ...['tax2', 'total', 'state', 'status', 'paid'],
    ]),
    amount: sql`item.total`,
    facts: sql`concat_ws(' ', item.state, to_char(item.due_at at time zone 'UTC', 'YYYY-MM-DD'))`,
  },
  prices: {
    resource: 'prices',
    hash: hashOf(['product', 'currency', 'months', 'amounts', 'setup_fees', 'plan', 'pays']),
    amount: NONE,
    facts: sql`(select string_agg(given.months || ':' || given.amount, ' ' order by given.place)
      from unnest(item.months, item.amounts) with ordinality as given (months, amount, place)
      where given.amount >= 0)`,
  },
} as const

/**
 * Stores the state of the rows of an import that are still staged. Only the last two snapshots of a system are kept.
 */
export async function storeSnapshot(
  tx: Tx,
  { tenantId, id }: ImportKey,
  system: string,
  now: Instant,
): Promise<void> {
  await sql`
    with former as (
      delete from imports.snapshots
      where tenant_id = ${tenantId} and system = ${system} and import_id not in (
        select import_id from imports.snapshots where tenant_id = ${tenantId} and system = ${system}
        order by taken_at desc, import_id desc limit 1)
      returning import_id
    )
    delete from imports.snapshot_rows
    where tenant_id = ${tenantId} and import_id in (select import_id from former)`.execute(tx)
  await tx
    .insertInto('imports.snapshots')
    .values({ tenantId, importId: id, system, takenAt: now })
    .execute()
  for (const name of COMPARED) {
    const { resource, hash, amount, facts } = TAKEN[name]
    await sql`
      insert into imports.snapshot_rows
        (tenant_id, import_id, resource, source_id, hash, amount, facts)
      select ${tenantId}, ${id}, ${name}, item.source_id, ${hash}, ${amount}, ${facts}
      from ${staged(resource, 'item')}
      where item.tenant_id = ${tenantId} and item.import_id = ${id}
        and item.outcome is distinct from 'failed'
      on conflict do nothing`.execute(tx)
  }
}

/** The import whose dump an import is compared with: the previous one of the same system. */
export async function findFormer(db: Db, { tenantId, id }: ImportKey): Promise<string | undefined> {
  const [row] = await read<{ id: string }>(
    db,
    `select former.import_id as id from imports.snapshots as this
     join imports.snapshots as former on former.tenant_id = this.tenant_id
       and former.system = this.system
       and (former.taken_at, former.import_id) < (this.taken_at, this.import_id)
     where this.tenant_id = $1 and this.import_id = $2
     order by former.taken_at desc, former.import_id desc limit 1`,
    [tenantId, id],
  )
  return row?.id
}

export type Change = {
  resource: Compared
  id: string
  change: 'new' | 'changed' | 'gone'
  formerAmount: number | null
  amount: number | null
  formerFacts: string | null
  facts: string | null
}

export type Place = { readonly resource: Compared; readonly id: string }

const COMPARISON = (bound: string) => `
  from (select * from imports.snapshot_rows where tenant_id = $1 and import_id = $2 ${bound}) as former
  full join (select * from imports.snapshot_rows where tenant_id = $1 and import_id = $3 ${bound}) as this
    using (resource, source_id)
  where former.hash is distinct from this.hash`

const CHANGE = `case when former.hash is null then 'new' when this.hash is null then 'gone'
  else 'changed' end`

type Between = ImportKey & { readonly formerId: string }

/** The rows that differ between two dumps, ordered by resource and id, after a place in that order. */
export function listChanges(
  db: Db,
  { tenantId, id, formerId }: Between,
  { after, limit }: { readonly after: Place | null; readonly limit: number },
): Promise<Change[]> {
  // Both sides are bounded, so that each is read from its index after that place.
  return read<Change>(
    db,
    `select resource, source_id::text as id, ${CHANGE} as change,
       former.amount::float8 as "formerAmount", this.amount::float8 as amount,
       former.facts as "formerFacts", this.facts as facts
     ${COMPARISON('and (resource, source_id) > ($4, $5::bigint)')}
     order by resource, source_id limit $6`,
    [tenantId, formerId, id, after?.resource ?? '', after?.id ?? '0', limit],
  )
}

export type ChangeCount = { resource: Compared; change: Change['change']; count: number }

/** How many rows of each resource are new, changed or gone. */
export function countChanges(db: Db, { tenantId, id, formerId }: Between): Promise<ChangeCount[]> {
  return read<ChangeCount>(
    db,
    `select resource, ${CHANGE} as change, count(*)::integer as count
     ${COMPARISON('')} group by 1, 2 order by 1, 2`,
    [tenantId, formerId, id],
  )
}
