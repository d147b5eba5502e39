import { sirenOf } from '#billing'
import { numberDebtors } from '#ledger'
import { conflict, type Detail, Problem } from '#lib/problem.ts'
import type { Tx } from '#platform/database/index.ts'
import type { imprintOf } from '#tenants'
import type { AccountingSettings } from './settings.ts'

/** How many debtor accounts there are, from 10000 to 69999 with accounts of four digits. */
const DEBTORS = 6

/**
 * Gives every customer their debtor number before an export for DATEV. Throws 409 while the accountant has not
 * confirmed the accounts, or a number of the client is missing.
 */
export async function prepareDatev(
  tx: Tx,
  tenantId: string,
  settings: AccountingSettings,
): Promise<void> {
  assertConfirmed(settings.datevConfirmed, 'accounting.datevConfirmed')
  const missing = [
    [settings.datevConsultant, 'accounting.datevConsultant', 'The consultant number is missing.'],
    [settings.datevClient, 'accounting.datevClient', 'The client number is missing.'],
  ] as const
  refuse(missing.flatMap(([value, path, message]) => (value === '' ? [{ path, message }] : [])))
  if (settings.datevDebtors === 'collective') return
  const highest = await numberDebtors(tx, tenantId)
  if (highest < DEBTORS * 10 ** settings.datevAccountLength) return
  const message = 'There are more customers than debtor accounts: use more digits, or one account.'
  refuse([{ path: 'accounting.datevAccountLength', message }])
}

/**
 * The SIREN that an FEC is named after. Throws 409 while the accounts are not confirmed, or if the seller is not a French
 * business with a SIREN.
 */
export function preparedFec(
  settings: AccountingSettings,
  seller: Awaited<ReturnType<typeof imprintOf>>,
): string {
  assertConfirmed(settings.fecConfirmed, 'accounting.fecConfirmed')
  const siren = seller && sirenOf({ ...seller, country: seller.address.country })
  if (siren === null) {
    const message = 'The FEC is for French sellers with a SIREN or SIRET as their register number.'
    refuse([{ path: 'seller.registerNumber', message }])
  }
  return siren ?? ''
}

function assertConfirmed(isConfirmed: boolean, path: string): void {
  if (isConfirmed) return
  throw conflict(
    `The accounts are not confirmed. Check them with the accountant, and set \`${path}\`.`,
    'accounts_not_confirmed',
  )
}

function refuse(details: readonly Detail[]): void {
  const [first] = details
  if (first)
    throw new Problem(409, first.message, { code: 'accounts_incomplete', details: [...details] })
}
