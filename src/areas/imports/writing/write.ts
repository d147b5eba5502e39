import { sql } from 'kysely'
import { importAffiliation, updateImportedAffiliation } from '#affiliation'
import { importDocuments, updateImportedInvoices } from '#billing'
import { importOpenings } from '#ledger'
import { importOrders } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { importServices, updateImportedServices } from '#services'
import { importCatalogue } from '#store'
import { importUsers, updateImportedUsers } from '#users'
import { changedBalances, clearedCommissions } from '../following/affiliates.ts'
import { rememberFollowed } from '../following/follow.ts'
import { isFollowed, joinedMoney, RECORDS, SOURCE_HASH, TARGET_HASH } from '../following/hashes.ts'
import type { Origin } from '../outcomes/judge.ts'
import type { Resource } from '../staging/resources.ts'
import { affiliateRows, commissionRows, earnedRows, referralRows } from './affiliates.ts'
import { catalogueRows } from './catalogue.ts'
import { creditRows, invoiceRows, lineRows, paymentRows, type TaxMode } from './documents.ts'
import { openingRows, passwordsOf, renamed, userRows } from './people.ts'
import { idOf, staged, updated, type Writing } from './rows.ts'
import { orderRows, serviceRows } from './services.ts'

/** What of a source is written here: its name, its tables, and whether its prices hold the tax. */
export type Written = Origin & { readonly taxMode: TaxMode }

/**
 * Resources whose rows are known again by what is kept of where they came from. Lines and prices go with
 * what they belong to; history says itself what it was (`HISTORY`).
 */
export const REMEMBERED = [
  ...(['clients', 'categories', 'products', 'coupons', 'tax_rates', 'services'] as const),
  ...(['invoices', 'balances'] as const),
  ...(['affiliates', 'referrals', 'commissions', 'pending_commissions', 'payouts'] as const),
] as const satisfies readonly Resource[]

/**
 * Writes everything that was decided to be imported into the areas it belongs to, and from which row each
 * was made: one statement for each kind, in one transaction. Nobody is told of anything.
 */
export async function writeAll(
  tx: Tx,
  secrets: Secrets,
  writing: Writing,
  written: Written,
): Promise<void> {
  const { tenantId, id: importId, now } = writing
  const which = { tenantId, importId, system: written.system }
  const passwords = passwordsOf(tx, writing)
  await importUsers(tx, secrets, { tenantId, rows: userRows(writing), passwords }, now)
  await updateImportedUsers(tx, tenantId, userRows(writing, renamed))
  await importCatalogue(tx, tenantId, catalogueRows(writing), now)
  const documents = {
    invoices: invoiceRows(writing, written.taxMode),
    lines: lineRows(writing),
    payments: paymentRows(writing),
    credit: creditRows(writing),
  }
  await importDocuments(tx, { ...which, ...documents }, now)
  const moved = invoiceRows(writing, written.taxMode, updated)
  await updateImportedInvoices(tx, { ...which, rows: moved }, now)
  await importOpenings(tx, { ...which, rows: openingRows(writing) }, now)
  await importServices(tx, { ...which, rows: serviceRows(writing) }, now)
  await updateImportedServices(tx, { ...which, rows: serviceRows(writing, updated) }, now)
  await importOrders(tx, { ...which, rows: orderRows(writing) }, now)
  const affiliation = {
    affiliates: affiliateRows(writing),
    referrals: referralRows(writing),
    commissions: commissionRows(writing),
    balances: changedBalances(writing),
    cleared: clearedCommissions(writing, written),
    earned: earnedRows(writing),
  }
  await updateImportedAffiliation(tx, { ...which, ...affiliation }, now)
  await importAffiliation(tx, { ...which, ...affiliation }, now)
  for (const resource of REMEMBERED) await rememberOrigins(tx, writing, resource, written)
  await rememberFollowed(tx, writing, written)
}

async function rememberOrigins(
  tx: Tx,
  writing: Writing,
  resource: Resource,
  { system, tableOf }: Written,
): Promise<void> {
  const table = tableOf(resource)
  if (!table) return
  const { tenantId, id } = writing
  const merged = sql`
    left join imports.staged_clients as owner on owner.tenant_id = item.tenant_id
      and owner.import_id = item.import_id and owner.source_id = item.survivor
      and owner.outcome is distinct from 'failed'
    left join imports.staged_currencies as currency on currency.tenant_id = item.tenant_id
      and currency.import_id = item.import_id and currency.source_id = item.currency
      and currency.outcome is distinct from 'failed'`
  const isClient = resource === 'clients'
  const target = isClient ? idOf(writing, 'clients', 'owner') : idOf(writing, resource, 'item')
  const credit = isClient ? sql`item.credit, currency.code` : sql`null::bigint, null::text`
  const followed = isFollowed(resource) ? resource : null
  // Who shares an account, or had one here before, is not called otherwise by what is said there.
  const hashes = followed
    ? sql`case when item.outcome is null then ${SOURCE_HASH[followed]} end,
        case when item.outcome is null then ${TARGET_HASH[followed]} end`
    : sql`null::text, null::text`
  await sql`
    insert into imports.origins
      (tenant_id, system, source_table, source_id, target_id, import_id, credit, credit_currency,
       source_hash, target_hash)
    select ${tenantId}, ${system}, ${table}, item.source_id, ${target}, ${id}, ${credit}, ${hashes}
    from ${staged(resource, 'item')} ${isClient ? merged : sql``}
    ${
      followed
        ? sql`${joinedMoney(followed, writing)} left join ${sql.raw(RECORDS[followed])} as record
      on record.tenant_id = ${tenantId} and record.id = ${target}`
        : sql``
    }
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and (item.outcome is null or (item.outcome = 'merged' and item.reason <> 'updated'))`.execute(
    tx,
  )
}
