import { withoutSpaces } from '#lib/iban.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import { isReference } from '../gateways/bank-transfer/reference.ts'
import type { EntryRow, StatementRow } from './queries.ts'

const MOST_NAMED = 20

/** Our references in the payer's text, whatever spaces a bank has put into them. */
export function referencesIn(text: string | null): string[] {
  const plain = (text ?? '').toUpperCase().replace(/[^0-9A-Z]/g, '')
  const found = [...plain.matchAll(/(?=(RF\d{2}[0-9A-Z]{12}))/g)].map(([, it = '']) => it)
  return [...new Set(found.filter(isReference))].slice(0, MOST_NAMED)
}

/** What may be an invoice number in the payer's text. */
export function numbersIn(text: string | null): string[] {
  const found = (text ?? '').match(/[A-Za-z0-9+\-_/]{1,21}-\d{4}-\d{6,8}(?!\d)/g) ?? []
  return [...new Set(found)].slice(0, MOST_NAMED)
}

/** Whether two names may be of the same customer: a word of some length occurs in both. */
export function namesMeet(one: string | null, other: string | null): boolean {
  const words = new Set(wordsOf(one))
  return wordsOf(other).some((word) => words.has(word))
}

function wordsOf(name: string | null): string[] {
  const plain = (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
}

/** Throws 422 for a statement of another account than the one that customers pay to. */
export function assertAccount(accounts: readonly string[], iban: unknown): void {
  if (typeof iban !== 'string') return
  const own = withoutSpaces(iban)
  if (accounts.every((account) => account === own)) return
  throw unprocessable('This statement is of another account.', 'other_account')
}

/** Throws 409 for an entry that a person need not, or must not, assign. */
export function assertAssignable({ state }: Pick<EntryRow, 'state'>): void {
  if (state === 'booked') throw conflict('This entry is booked already.', 'entry_booked')
}

/** Throws 409 for an entry that is settled. */
export function assertOpen({ state }: Pick<EntryRow, 'state'>): void {
  if (state === 'booked' || state === 'dismissed') {
    throw conflict(`This entry is ${state} already.`, `entry_${state}`)
  }
}

export function statementView({ tenantId: _, ...row }: StatementRow) {
  return row
}

export function entryView(row: EntryRow) {
  const { id, statementId, gatewayId, state: status, bookedOn, amountCents, currency } = row
  const { bankReference, payerName, payerIban, remittance, paymentId, userId, note } = row
  const { settledBy, settledAt, createdAt } = row
  return {
    ...{ id, statementId, gatewayId, status, bookedOn, amountCents, currency },
    ...{ bankReference, payerName, payerIban, remittance, paymentId, userId, note },
    ...{ settledBy, settledAt, createdAt },
  }
}
