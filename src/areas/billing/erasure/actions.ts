import { creditBalance, listCredits, lockCredit, post, postings } from '#ledger'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { forgetPayer } from '../bank-statements/queries.ts'
import { hasOpenDispute } from '../disputes/queries.ts'
import { forgetImportedTexts } from '../imported/queries.ts'
import { detachMethod, forgetCustomer } from '../work.ts'
import {
  deleteLease,
  forgetEvents,
  forgetMethods,
  forgetOffers,
  forgetProviderCustomers,
  forgetRequests,
  hasMoneyMoving,
  hasOpenInvoice,
} from './queries.ts'

/**
 * Throws 409 while an invoice or a dispute is open, a payment or refund is under way, or credit is left
 * that the person does not give up (R8.2).
 */
export async function assertSettled(tx: Tx, person: Leaving): Promise<void> {
  if (await hasOpenInvoice(tx, person)) {
    throw conflict('There is an invoice that is not paid.', 'invoices_open')
  }
  if (await hasOpenDispute(tx, person)) {
    throw conflict('A payment is in dispute.', 'disputes_open')
  }
  if (await hasMoneyMoving(tx, person)) {
    throw conflict('A payment or a refund is on its way.', 'payments_open')
  }
  if (person.forfeitCredit) return
  const { tenantId, userId } = person
  for (const { currency } of await listCredits(tx, person)) {
    if ((await creditBalance(tx, { tenantId, userId, currency })) > 0) {
      throw conflict('There is credit left. Use it, or give it up.', 'credit_left')
    }
  }
}

/**
 * Deletes a person's means of payment, and books the credit they gave up. Issued documents, payments
 * and the books stay (R8.3); the buyer is removed from what was offered but never issued. Jobs tell the
 * providers: one that does not answer cannot prevent the erasure.
 */
export async function erase(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  const { tenantId } = person
  await forfeitCredit(tx, person, now)
  for (const methodId of await forgetMethods(tx, person, now)) {
    await enqueue(tx, detachMethod, { tenantId, methodId })
  }
  const customers = await forgetProviderCustomers(tx, person, now)
  await forgetPayer(tx, person)
  await forgetImportedTexts(tx, person)
  await forgetRequests(tx, person)
  for (const { id } of customers) await enqueue(tx, forgetCustomer, { tenantId, id })
  const names = customers.map(({ providerCustomerId }) => providerCustomerId)
  await forgetEvents(tx, tenantId, [...names, ...person.emails])
  await forgetOffers(tx, person, now)
  await deleteLease(tx, person)
}

async function forfeitCredit(tx: Tx, { tenantId, userId }: Leaving, now: Instant): Promise<void> {
  for (const { currency } of await listCredits(tx, { tenantId, userId })) {
    const amountCents = await lockCredit(tx, { tenantId, userId, currency })
    if (amountCents === 0) continue
    const event = {
      kind: 'credit_forfeited' as const,
      postings: postings.goodwillRemoved({ customerId: userId, amountCents }),
      description: 'Forfeited with the account',
    }
    const key = `credit-forfeited:${userId}:${currency}`
    await post(tx, { tenantId, event, eventId: userId, key, currency }, now)
  }
}
