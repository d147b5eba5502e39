import { formatAmount } from '#lib/currency.ts'
import type { Area, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listWrongDays } from './figures.ts'
import {
  heldBalance,
  listCreditEntries,
  listCredits,
  listUnbalanced,
  listWrongBalances,
} from './queries.ts'
import { timeline } from './timeline.ts'

export * as accounts from './accounts.ts'
export { type LedgerEvent, type NewTransaction, post, postAll } from './actions.ts'
export {
  type CommissionBalance,
  commissionBalances,
  lockAvailableCommission,
} from './commission-queries.ts'
export * as commissionPostings from './commissions.ts'
export { debtorNumbers, listCurrencies, numberDebtors } from './debtors.ts'
export {
  type AccountBalance,
  type Booking,
  listAccountBalances,
  listBookings,
  listRevenue,
  listSalesByDay,
  listTrialBalance,
  type Span,
} from './figures.ts'
export {
  type CommissionOpening,
  importCommissionOpenings,
  importOpenings,
  type Opening,
  removeOpenings,
  sumOpenings,
  transactionsAfterOpenings,
} from './openings.ts'
export {
  CREDIT_KINDS,
  type CreditEntry,
  type CreditKey,
  creditBalance,
  heldBalance,
  listCreditEntries,
  listCredits,
  listUnbalanced,
  listWrongBalances,
  lockCredit,
  postedBy,
} from './queries.ts'
export * as postings from './rules.ts'
export {
  listMovements,
  listStandings,
  type Movement,
  placeBefore,
  type Standing,
  type StatementPlace,
} from './statements.ts'

const NEWEST = { limit: 1000 }

/** A person's credit: the balance, and its history. */
async function personalData(db: Db, user: UserKey) {
  const credits = []
  for (const { currency, balanceCents } of await listCredits(db, user)) {
    const key = { ...user, currency }
    const heldCents = await heldBalance(db, key)
    const { data } = await listCreditEntries(db, key, NEWEST)
    credits.push({ currency, balanceCents, heldCents, entries: data })
  }
  return { credits }
}

/** Transactions that do not balance, and balances and daily sales that are not the sum of their postings (R5.1). */
async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  for (const { transactionId, currency, differenceCents } of await listUnbalanced(db, tenantId)) {
    const by = formatAmount(differenceCents, currency)
    yield `Ledger transaction ${transactionId} is out of balance by ${by}.`
  }
  for (const { code, currency, ...it } of await listWrongBalances(db, tenantId)) {
    const [kept, posted] = [it.balanceCents, it.postedCents].map((c) => formatAmount(c, currency))
    yield `The balance of ${code} is kept as ${kept}, its postings add up to ${posted}.`
  }
  for (const { currency, day, ...it } of await listWrongDays(db, tenantId)) {
    const [kept, posted] = [it.keptCents, it.postedCents].map((c) => formatAmount(c, currency))
    yield `The net sales of ${day} are kept as ${kept}, the postings of that day add up to ${posted}.`
  }
}

export const ledger: Area = {
  name: 'ledger',
  personalData,
  purposes: ['ledger.credit'],
  timeline,
  timelineNeeds: ['invoices:read'],
  faults,
}
