import { sql } from 'kysely'
import { importDocuments } from '#billing'
import { importOpenings } from '#ledger'
import { importOrders } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { importServices } from '#services'
import { importCatalogue } from '#store'
import { importUsers } from '#users'
import type { Resource } from '../staging/resources.ts'
import { catalogueRows } from './catalogue.ts'
import { creditRows, invoiceRows, lineRows, paymentRows, type TaxMode } from './documents.ts'
import { openingRows, passwordsOf, userRows } from './people.ts'
import { idOf, staged, type Writing } from './rows.ts'
import { orderRows, serviceRows } from './services.ts'

/** What of a source is written here: its name, its tables, and whether its prices hold the tax. */
export type Written = {
  readonly system: string
  readonly taxMode: TaxMode
  readonly tableOf: (resource: Resource) => string | undefined
}

/** Resources whose rows are known again; lines and prices go with what they belong to. */
export const REMEMBERED = [
  ...(['clients', 'categories', 'products', 'coupons', 'tax_rates', 'services'] as const),
  ...(['orders', 'invoices', 'transactions', 'credit_entries', 'balances'] as const),
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
  const which = { tenantId, importId }
  const passwords = passwordsOf(tx, writing)
  await importUsers(tx, secrets, { tenantId, rows: userRows(writing), passwords }, now)
  await importCatalogue(tx, tenantId, catalogueRows(writing), now)
  const documents = {
    invoices: invoiceRows(writing, written.taxMode),
    lines: lineRows(writing),
    payments: paymentRows(writing),
    credit: creditRows(writing),
  }
  await importDocuments(tx, { ...which, ...documents }, now)
  await importOpenings(tx, { ...which, rows: openingRows(writing) }, now)
  await importServices(tx, { ...which, rows: serviceRows(writing) }, now)
  await importOrders(tx, { ...which, rows: orderRows(writing) }, now)
  for (const resource of REMEMBERED) await rememberOrigins(tx, writing, resource, written)
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
      and owner.outcome is distinct from 'failed'`
  const target =
    resource === 'clients' ? idOf(writing, 'clients', 'owner') : idOf(writing, resource, 'item')
  await sql`
    insert into imports.origins
      (tenant_id, system, source_table, source_id, target_id, import_id)
    select ${tenantId}, ${system}, ${table}, item.source_id, ${target}, ${id}
    from ${staged(resource, 'item')} ${resource === 'clients' ? merged : sql``}
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and (item.outcome is null or item.outcome = 'merged')`.execute(tx)
}
