import { conflict, type Detail, notFound, Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, type Row, read, type Tx } from '#platform/database/index.ts'
import { taxesUntaxed } from '#services'
import { sellerOf } from '#tenants'
import { findImport, type ImportRow } from '../queries.ts'
import { catalogModeOf, hasWritten, nothingImported, priceModeOf } from '../rules.ts'
import type { Decisions, DecisionView } from '../schema.ts'
import type { ImportKey } from '../staging/writer.ts'
import { hasBegun } from './queries.ts'

type Stored = Row<'imports.decisions'>
type Name = keyof Decisions

/** The choices of each decision, in the order in which they are shown. */
const CHOICES = {
  differences: ['accepted'],
  price: ['keep_total', 'keep_amount'],
  tax: ['standard_rates'],
  gateways: ['without_gateway'],
  subscriptions: ['canceled'],
  runningPeriods: ['leave', 'invoice'],
} as const satisfies { readonly [N in Name]-?: readonly NonNullable<Decisions[N]>[] }

const NAMES = Object.keys(CHOICES) as Name[]

function storedName(name: Name): Stored['decision'] {
  return name === 'runningPeriods' ? 'running_periods' : name
}

function listStored(db: Db, { tenantId, id }: ImportKey): Promise<Stored[]> {
  return db
    .selectFrom('imports.decisions')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}

/** The choices that were made for an import. */
export async function choicesOf(db: Db, key: ImportKey): Promise<Decisions> {
  return choicesIn(await listStored(db, key))
}

function choicesIn(stored: readonly Stored[]): Decisions {
  const made = NAMES.flatMap((name) => {
    const choice = stored.find(({ decision }) => decision === storedName(name))?.choice
    return CHOICES[name].some((it) => it === choice) ? [[name, choice]] : []
  })
  return Object.fromEntries(made)
}

/** An import that has written something. Throws 404 and 409. */
export async function findWritten(db: Db, key: ImportKey): Promise<ImportRow> {
  const row = await findImport(db, key)
  if (!row) throw notFound('Import')
  if (!hasWritten(row)) throw nothingImported()
  return row
}

/** The decisions about an import: which are needed before renewals begin, and which are made. Throws 404 and 409. */
export async function decisionsOf(db: Db, key: ImportKey, now: Instant): Promise<DecisionView[]> {
  const row = await findWritten(db, key)
  const stored = await listStored(db, key)
  const needed = await neededFor(db, key, row, now)
  return NAMES.map((name) => {
    const made = stored.find(({ decision }) => decision === storedName(name))
    return {
      ...{ decision: name, choices: [...CHOICES[name]], needed: needed.has(name) },
      ...{ choice: made?.choice ?? null, decidedBy: made?.decidedBy ?? null },
      decidedAt: made?.decidedAt ?? null,
    }
  })
}

/** Whether old prices of an import mean something else in this shop, so that staff has to decide what customers pay. */
export async function needsPriceDecision(
  db: Db,
  { tenantId, id }: ImportKey,
  row: ImportRow,
  now: Instant,
): Promise<boolean> {
  const { priceMode, taxStatus } = await sellerOf(db, tenantId)
  if (priceModeOf(row) !== priceMode || catalogModeOf(row) !== priceMode) return true
  if (priceMode === 'inclusive' || !isTaxed(taxStatus)) return false
  return taxesUntaxed(db, { tenantId, importId: id }, now)
}

function isTaxed(taxStatus: string | null): boolean {
  return taxStatus === null || taxStatus === 'registered'
}

type Facts = { rates: boolean; gateways: boolean; subscriptions: boolean }

/** The decisions without which renewals of an import do not begin. */
async function neededFor(
  db: Db,
  { tenantId, id }: ImportKey,
  row: ImportRow,
  now: Instant,
): Promise<ReadonlySet<Name>> {
  const { taxStatus } = await sellerOf(db, tenantId)
  const [facts] = await read<Facts>(
    db,
    `select
       exists (select from store.tax_rates where tenant_id = $1 and archived_at is null) as rates,
       exists (select from billing.gateways where tenant_id = $1 and enabled) as gateways,
       exists (select from services.services where tenant_id = $1 and ended_at is null
         and activated_at is not null and imported ->> 'importId' = $2
         and coalesce(imported ->> 'subscription', '') <> '') as subscriptions`,
    [tenantId, id],
  )
  const wanted: Readonly<Record<Name, boolean>> = {
    differences: row.status === 'not_reconciled',
    price: await needsPriceDecision(db, { tenantId, id }, row, now),
    tax: isTaxed(taxStatus) && facts?.rates === false,
    gateways: facts?.gateways === false,
    subscriptions: facts?.subscriptions === true,
    runningPeriods: false,
  }
  return new Set(NAMES.filter((name) => wanted[name]))
}

/** Throws 409 with each needed decision that is missing. */
export async function assertDecided(
  db: Db,
  key: ImportKey,
  { row, made }: { readonly row: ImportRow; readonly made: Decisions },
  now: Instant,
): Promise<void> {
  const needed = await neededFor(db, key, row, now)
  const missing = [...needed].filter((name) => made[name] === undefined)
  if (missing.length === 0) return
  const details = missing.map((name): Detail => {
    return { path: name, message: `Choose ${CHOICES[name].join(' or ')}.` }
  })
  const listed = missing.map((name) => `${name} (${CHOICES[name].join(' or ')})`).join(', ')
  const message = `Renewals cannot begin before these decisions are made: ${listed}.`
  throw new Problem(409, message, { code: 'decisions_missing', details })
}

type Decided = { readonly made: Decisions; readonly userId: string | null }

/**
 * Stores choices for an import and returns all that were made. Making the same choice again does not change who made
 * it. Throws 409 for another choice after renewals have begun.
 */
export async function decide(
  tx: Tx,
  key: ImportKey,
  { made, userId }: Decided,
  now: Instant,
): Promise<Decisions> {
  const before = await choicesOf(tx, key)
  const fresh = NAMES.flatMap((name) => {
    const choice = made[name]
    return choice === undefined || choice === before[name] ? [] : [{ name, choice }]
  })
  if (fresh.length === 0) return before
  if (fresh.some(({ name }) => before[name] !== undefined) && (await hasBegun(tx, key))) {
    throw conflict(
      'Renewals have begun. The decisions about this import cannot be changed.',
      'renewals_begun',
    )
  }
  const { tenantId, id: importId } = key
  await tx
    .insertInto('imports.decisions')
    .values(
      fresh.map(({ name, choice }) => {
        const decision = storedName(name)
        return { tenantId, importId, decision, choice, decidedBy: userId, decidedAt: now }
      }),
    )
    .onConflict((it) =>
      it.columns(['tenantId', 'importId', 'decision']).doUpdateSet((row) => ({
        choice: row.ref('excluded.choice'),
        decidedBy: row.ref('excluded.decidedBy'),
        decidedAt: row.ref('excluded.decidedAt'),
      })),
    )
    .execute()
  return { ...before, ...Object.fromEntries(fresh.map(({ name, choice }) => [name, choice])) }
}
