import { sumImportedAffiliation } from '#affiliation'
import { type ImportedSum, sumImportedDocuments, sumImportedPayments } from '#billing'
import { sumOpenings } from '#ledger'
import { sumImportedOrders } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import { sumImportedServices } from '#services'
import { smallestUnits } from '../outcomes/report.ts'
import { regardlessOfStatus, type Sum, type Sums } from '../outcomes/totals.ts'
import type { ImportKey } from '../staging/writer.ts'
import { sumBookedBalances } from './affiliates.ts'
import { sumImportedCredit } from './people.ts'

/** Sums by name and currency: `invoices EUR totalCents`. */
export type Compared = ReadonlyMap<string, string>

/**
 * The differences between what was decided and what was written, to the cent. If there are any, the import
 * is not reconciled.
 */
export function differencesOf(decided: Compared, there: Compared): string[] {
  return [...new Set([...decided.keys(), ...there.keys()])]
    .filter((name) => (decided.get(name) ?? '0') !== (there.get(name) ?? '0'))
    .map((name) => `${name}: ${decided.get(name) ?? 0} decided, ${there.get(name) ?? 0} written`)
    .sort()
}

const COMPARED = [
  ...['services', 'orders', 'invoices', 'invoiceItems', 'transactions', 'creditLedger'],
  ...['affiliates', 'commissions', 'pendingCommissions', 'payouts'],
]

/** The sums that are to be written, according to the decisions. */
export async function decidedSums(tx: Tx, key: ImportKey, sums: Sums): Promise<Compared> {
  const decided = new Map<string, string>()
  for (const name of COMPARED) addDecided(name, sums.get(name) ?? [], decided)
  for (const { currency, creditCents } of await sumImportedCredit(tx, key)) {
    decided.set(`credit ${currency} balanceCents`, creditCents)
  }
  for (const [name, sum] of [...decided]) {
    const [resource, currency, amount] = name.split(' ')
    if (resource !== 'pendingCommissions' || amount !== 'amountCents') continue
    decided.set(`books ${currency} pending`, sum)
  }
  for (const { currency, availableCents } of await sumBookedBalances(tx, key)) {
    decided.set(`books ${currency} available`, availableCents)
  }
  return decided
}

function addDecided(name: string, rows: readonly Sum[], decided: Map<string, string>): void {
  for (const { currency, decimals, outcome, count, amounts } of regardlessOfStatus(rows)) {
    if (outcome !== 'imported') continue
    decided.set(`${name} ${currency} count`, String(count))
    for (const [amount, hundredths] of Object.entries(amounts)) {
      const cents = smallestUnits(hundredths, decimals)
      decided.set(`${name} ${currency} ${amount}`, String(cents))
    }
  }
}

/**
 * The sums that an import has written, read from the areas' tables. Without the history that refers to
 * records of other parts, which `historySums` adds up.
 */
export async function writtenSums(
  tx: Tx,
  { tenantId, id: importId }: ImportKey,
): Promise<Compared> {
  const which = { tenantId, importId }
  const sums = named([
    ...(await sumImportedDocuments(tx, which)),
    ...(await sumImportedServices(tx, which)),
    ...(await sumImportedAffiliation(tx, which)),
  ])
  for (const { currency, ...booked } of await sumOpenings(tx, which)) {
    sums.set(`credit ${currency} balanceCents`, booked.creditCents)
    sums.set(`books ${currency} available`, booked.availableCents)
    sums.set(`books ${currency} pending`, booked.pendingCents)
  }
  return sums
}

/** The sums of payments and orders that an import has written, read from their areas' tables. */
export async function historySums(
  tx: Tx,
  { tenantId, id: importId }: ImportKey,
): Promise<Compared> {
  const which = { tenantId, importId }
  return named([...(await sumImportedPayments(tx, which)), ...(await sumImportedOrders(tx, which))])
}

function named(rows: readonly ImportedSum[]): Map<string, string> {
  return new Map(
    rows.map(({ what, currency, amount, sum }) => [`${what} ${currency} ${amount}`, sum]),
  )
}
