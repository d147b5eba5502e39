import { sumImportedAffiliation } from '#affiliation'
import { sumImportedDocuments } from '#billing'
import { sumOpenings } from '#ledger'
import { sumImportedOrders } from '#orders'
import type { Tx } from '#platform/database/index.ts'
import { sumImportedServices } from '#services'
import { smallestUnits } from '../outcomes/report.ts'
import { REPORTED, type Reported, sumAmounts } from '../outcomes/totals.ts'
import type { ImportKey } from '../staging/writer.ts'
import { sumBookedBalances } from './affiliates.ts'
import { sumImportedCredit } from './people.ts'

/** Sums by name and currency: `invoices EUR totalCents`. */
type Sums = Map<string, string>

/**
 * Where what stands in the areas now is not what was decided to be imported, cent by cent: nothing, or
 * the import is not reconciled.
 */
export async function differencesOf(tx: Tx, key: ImportKey): Promise<string[]> {
  const [decided, there] = [await decidedSums(tx, key), await writtenSums(tx, key)]
  return [...new Set([...decided.keys(), ...there.keys()])]
    .filter((name) => (decided.get(name) ?? '0') !== (there.get(name) ?? '0'))
    .map((name) => `${name}: ${decided.get(name) ?? 0} decided, ${there.get(name) ?? 0} written`)
    .sort()
}

const COMPARED = [
  ...['services', 'orders', 'invoices', 'invoiceItems', 'transactions', 'creditLedger'],
  ...['affiliates', 'commissions', 'pendingCommissions', 'payouts'],
]

async function decidedSums(tx: Tx, key: ImportKey): Promise<Sums> {
  const sums: Sums = new Map()
  for (const reported of REPORTED.filter(({ name }) => COMPARED.includes(name))) {
    await addDecided(tx, key, reported, sums)
  }
  for (const { currency, creditCents } of await sumImportedCredit(tx, key)) {
    sums.set(`credit ${currency} balanceCents`, creditCents)
  }
  for (const [name, sum] of [...sums]) {
    const [resource, currency, amount] = name.split(' ')
    if (resource !== 'pendingCommissions' || amount !== 'amountCents') continue
    sums.set(`books ${currency} pending`, sum)
  }
  for (const { currency, availableCents } of await sumBookedBalances(tx, key)) {
    sums.set(`books ${currency} available`, availableCents)
  }
  return sums
}

async function addDecided(tx: Tx, key: ImportKey, reported: Reported, sums: Sums): Promise<void> {
  const rows = await sumAmounts(tx, key, reported)
  for (const { currency, decimals, outcome, status: _, count, ...amounts } of rows) {
    if (outcome !== 'imported') continue
    sums.set(`${reported.name} ${currency} count`, String(count))
    for (const [name, hundredths] of Object.entries(amounts)) {
      const cents = smallestUnits(String(hundredths), decimals)
      sums.set(`${reported.name} ${currency} ${name}`, String(cents))
    }
  }
}

async function writtenSums(tx: Tx, { tenantId, id: importId }: ImportKey): Promise<Sums> {
  const which = { tenantId, importId }
  const rows = [
    ...(await sumImportedDocuments(tx, which)),
    ...(await sumImportedServices(tx, which)),
    ...(await sumImportedOrders(tx, which)),
    ...(await sumImportedAffiliation(tx, which)),
  ]
  const sums: Sums = new Map(
    rows.map(({ what, currency, amount, sum }) => [`${what} ${currency} ${amount}`, sum]),
  )
  for (const { currency, ...booked } of await sumOpenings(tx, which)) {
    sums.set(`credit ${currency} balanceCents`, booked.creditCents)
    sums.set(`books ${currency} available`, booked.availableCents)
    sums.set(`books ${currency} pending`, booked.pendingCents)
  }
  return sums
}
