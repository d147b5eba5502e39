import { type RawBuilder, sql } from 'kysely'
import { importAffiliation, updateImportedAffiliation } from '#affiliation'
import { importDocuments, importPayments, updateImportedInvoices } from '#billing'
import { importOpenings } from '#ledger'
import { importOrders } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { importServices, settleImported, updateImportedServices } from '#services'
import { importCatalogue } from '#store'
import { type ImportedFact, importPasswords, importUsers, updateImportedUsers } from '#users'
import { changedBalances, clearedCommissions } from '../following/affiliates.ts'
import { rememberFollowed } from '../following/follow.ts'
import { isFollowed, joinedMoney, RECORDS, SOURCE_HASH, TARGET_HASH } from '../following/hashes.ts'
import type { Origin } from '../outcomes/judge.ts'
import type { Resource } from '../staging/resources.ts'
import { storeRowsBefore } from '../undoing/changes.ts'
import { affiliateRows, commissionRows, earnedRows, referralRows } from './affiliates.ts'
import { catalogueRows } from './catalogue.ts'
import { creditRows, invoiceRows, lineRows, paymentRows, type TaxMode } from './documents.ts'
import {
  changedOpeningRows,
  factRows,
  factsOf,
  openingRows,
  passwordsOf,
  renamed,
  userRows,
  writeOpenings,
} from './people.ts'
import {
  idOf,
  inLane,
  joined,
  LAST_LANE,
  type Part,
  staged,
  updated,
  type Writing,
  wanted,
} from './rows.ts'
import { nameOptions, orderRows, serviceRows } from './services.ts'
import { together } from './steps.ts'

/** What is known of a source while its rows are written: its name, its tables, and whether its prices include tax. */
export type Written = Origin & {
  readonly taxMode: TaxMode
  /** Whether its tax rates say which customers paid tax on top of its prices. */
  readonly hasRates: boolean
}

/**
 * Resources whose rows are recognised by stored origins. Lines and prices belong to other records; invoices and
 * history store their own source (`HISTORY`).
 */
const REMEMBERED = {
  /** Resources that are written first, for all people. */
  first: [
    ...(['clients', 'categories', 'products', 'coupons', 'tax_rates'] as const),
    ...(['option_groups', 'options', 'option_values'] as const),
    ...(['affiliates', 'referrals', 'commissions', 'pending_commissions', 'payouts'] as const),
  ],
  /** Resources that are written with the part of their person. */
  inParts: ['services', 'balances'],
} as const satisfies Record<string, readonly Resource[]>

/** What is written first; `again`: something of this system was imported before. */
type First = Written & { readonly again: boolean }

/**
 * Writes the records to which everything else refers: people, the catalogue, affiliates. Also updates records of an
 * earlier import that have changed in the old system, in the transaction that has compared them. Nobody is notified.
 */
export async function writeFirst(
  tx: Tx,
  secrets: Secrets,
  writing: Writing,
  written: First,
): Promise<void> {
  const { tenantId, now } = writing
  const facts = factRows(writing)
  await importUsers(tx, tenantId, { people: userRows(writing), facts })
  await rememberFacts(tx, writing, { system: written.system, facts })
  await together([
    // While this process encrypts passwords, the database writes the rest.
    importPasswords(tx, secrets, tenantId, passwordsOf(tx, writing), now),
    writeAround(tx, writing, written),
  ])
}

/** Writes the rest of the first step, once the people are written. */
async function writeAround(tx: Tx, writing: Writing, written: First): Promise<void> {
  const { tenantId, id: importId, now } = writing
  await importCatalogue(tx, tenantId, catalogueRows(writing), now)
  await nameOptions(tx, writing)
  if (written.again) await writeAnew(tx, writing, written)
  const affiliation = {
    affiliates: affiliateRows(writing),
    referrals: referralRows(writing),
    commissions: commissionRows(writing),
    balances: changedBalances(writing),
  }
  await importAffiliation(tx, { tenantId, importId, ...affiliation }, now)
  for (const resource of REMEMBERED.first) {
    await rememberOrigins(tx, writing, { resource, origin: written })
  }
  if (written.again) await rememberFollowed(tx, writing, written)
}

/** Updates the records that have changed in the old system, and books the differences. */
async function writeAnew(tx: Tx, writing: Writing, written: Written): Promise<void> {
  const { tenantId, id: importId, now } = writing
  const which = { tenantId, importId }
  const changed = updated(writing, 'item')
  await storeRowsBefore(tx, writing, written)
  await updateImportedUsers(tx, tenantId, userRows(writing, renamed))
  const invoices = invoiceRows(writing, written.taxMode, changed)
  await updateImportedInvoices(tx, { ...which, rows: invoices }, now)
  await importOpenings(tx, { ...which, changed: true, rows: changedOpeningRows(writing) }, now)
  const services = serviceRows(writing, { which: changed, hasRates: written.hasRates })
  await updateImportedServices(tx, { ...which, rows: services }, now)
  await settleImported(tx, which, now)
  const affiliation = {
    balances: changedBalances(writing),
    cleared: clearedCommissions(writing, written),
    earned: earnedRows(writing),
  }
  await updateImportedAffiliation(tx, { ...which, ...affiliation }, now)
}

/**
 * Writes the records of the people of one part, and their opening balances: credit and debts. Opening balances
 * are booked on one shared account: `inTurn` waits for the other parts, so they come last.
 */
export async function writePart(
  tx: Tx,
  part: Part,
  written: Written,
  inTurn: () => Promise<void>,
): Promise<void> {
  const { tenantId, id: importId, now } = part
  const which = { tenantId, importId, system: written.system }
  const mine = sql`${wanted(part, 'item')} and ${inLane(part)}`
  await importDocuments(
    tx,
    {
      ...which,
      invoices: invoiceRows(part, written.taxMode, mine),
      lines: lineRows(part),
      payments: paymentRows(part),
      credit: creditRows(part),
    },
    now,
  )
  const services = serviceRows(part, { which: mine, hasRates: written.hasRates })
  await importServices(tx, { tenantId, rows: services }, now)
  await importOrders(tx, { ...which, rows: orderRows(part) }, now)
  for (const resource of REMEMBERED.inParts) {
    await rememberOrigins(tx, part, { resource, origin: written, lane: inLane(part) })
  }
  await writeOpenings(tx, part)
  await inTurn()
  await importOpenings(tx, { tenantId, importId, rows: openingRows(part) }, now)
}

/** Writes the history that connects people of several parts. */
export async function writeLast(tx: Tx, writing: Writing, { system }: Written): Promise<void> {
  const { tenantId, id: importId, now } = writing
  const part = { ...writing, lane: LAST_LANE }
  const which = { tenantId, importId, system }
  await importPayments(tx, { ...which, rows: paymentRows(part) }, now)
  await importOrders(tx, { ...which, rows: orderRows(part) }, now)
}

/**
 * Records the facts that were added about people who had an account before: if the import is undone, the facts
 * are removed and the people stay.
 */
async function rememberFacts(
  tx: Tx,
  { tenantId, id }: Writing,
  { system, facts }: { readonly system: string; readonly facts: RawBuilder<ImportedFact> },
): Promise<void> {
  await sql`
    insert into imports.origins
      (tenant_id, system, source_table, source_id, target_id, import_id)
    select ${tenantId}, ${system}, ${factsOf(id)}, row_number() over (order by fact.id), fact.id, ${id}
    from users.facts as fact
    where fact.tenant_id = ${tenantId}
      and fact.id in (select given.id from (${facts}) as given where given.known)`.execute(tx)
}

async function rememberOrigins(
  tx: Tx,
  writing: Writing,
  {
    resource,
    origin: { system, tableOf },
    lane,
  }: {
    readonly resource: Resource
    readonly origin: Origin
    /** The condition for a part; the people are joined as `client` for it. */
    readonly lane?: RawBuilder<unknown>
  },
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
  // No hashes for people who share an account or had one here before: later dumps do not rename them.
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
    ${lane ? joined('clients', 'client', 'item.client') : sql``}
    ${
      followed
        ? sql`${joinedMoney(followed, writing)} left join ${sql.raw(RECORDS[followed])} as record
      on record.tenant_id = ${tenantId} and record.id = ${target}`
        : sql``
    }
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and (item.outcome is null or (item.outcome = 'merged' and item.reason <> 'updated'))
      ${lane ? sql`and ${lane}` : sql``}`.execute(tx)
}
