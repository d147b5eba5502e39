import type { BasisPoints } from '#lib/money.ts'

export type AccountType = 'asset' | 'liability' | 'income' | 'expense' | 'equity'

/** An account of a tenant: its code is unique within the tenant, `ownerId` is its owner (R5.2). */
export type Account = {
  readonly code: string
  readonly type: AccountType
  readonly ownerId: string | null
}

/** Money at a payment provider or a bank. */
export function cash(gatewayId: string): Account {
  return owned('cash', 'asset', gatewayId)
}

/** What a customer owes. */
export function receivable(customerId: string): Account {
  return owned('receivable', 'asset', customerId)
}

/** A customer's credit, which must never be overdrawn (debits minus credits above 0). */
export function credit(customerId: string): Account {
  return owned('credit', 'liability', customerId)
}

/** Credit set aside for a pro forma invoice (R3.8). */
export function heldCredit(customerId: string): Account {
  return owned('heldCredit', 'liability', customerId)
}

/** Tax owed to a country at one rate, in basis points. */
export function tax(country: string, rateBasisPoints: BasisPoints): Account {
  return { code: `tax:${country}:${rateBasisPoints}`, type: 'liability', ownerId: null }
}

/** Commission an affiliate has earned and may not use yet. */
export function affiliatePending(affiliateId: string): Account {
  return owned('affiliatePending', 'liability', affiliateId)
}

/** Commission an affiliate can convert; below 0 after a commission that was converted is reversed. */
export function affiliateAvailable(affiliateId: string): Account {
  return owned('affiliateAvailable', 'liability', affiliateId)
}

export const disputed = shared('disputed', 'asset')
export const revenue = shared('revenue', 'income')
export const fees = shared('fees', 'expense')
export const badDebt = shared('badDebt', 'expense')
export const goodwill = shared('goodwill', 'expense')
export const affiliateExpense = shared('affiliateExpense', 'expense')
/** Money that the host paid to affiliates from accounts that have no gateway. */
export const affiliatePayouts = shared('affiliatePayouts', 'asset')
/** Refunds of imported payments that the host sent from accounts without a gateway. */
export const importedRefunds = shared('importedRefunds', 'asset')
/** The other side of balances taken over from another system. */
export const opening = shared('opening', 'equity')

/** Whether an account's balance (debits minus credits) may be above 0: not for customer credit. */
export function mayBeInDebit({ code }: Account): boolean {
  return !code.startsWith('credit:') && !code.startsWith('heldCredit:')
}

function owned(kind: string, type: AccountType, ownerId: string): Account {
  return { code: `${kind}:${ownerId}`, type, ownerId }
}

function shared(code: string, type: AccountType): Account {
  return { code, type, ownerId: null }
}
