import { type BasisPoints, type Cents, cents, sumCents } from '#lib/money.ts'
import {
  type Account,
  badDebt,
  cash,
  credit,
  disputed,
  fees,
  goodwill,
  heldCredit,
  importedRefunds,
  opening,
  receivable,
  revenue,
  tax,
} from './accounts.ts'

/** One side of a transaction: cents on one account, debit positive, credit negative (R5.1). */
export type Posting = { readonly account: Account; readonly amountCents: Cents }

/** A document's amounts: positive cents, the same for an invoice and its credit note. */
export type TaxedAmounts = {
  readonly customerId: string
  readonly netCents: Cents
  readonly taxes: readonly {
    readonly country: string
    readonly rateBasisPoints: BasisPoints | null
    readonly taxCents: Cents
  }[]
}

/** Money of one customer through one gateway, in positive cents. */
export type CustomerMoney = {
  readonly customerId: string
  readonly gatewayId: string
  readonly amountCents: Cents
}

type CustomerAmount = Pick<CustomerMoney, 'customerId' | 'amountCents'>
type GatewayAmount = Pick<CustomerMoney, 'gatewayId' | 'amountCents'>

/** An invoice was issued or, for a pro forma, numbered: the customer owes its gross (R5.2). */
export function invoiceIssued({ customerId, netCents, taxes }: TaxedAmounts): Posting[] {
  const owed = sumCents([netCents, ...taxes.map(({ taxCents }) => taxCents)])
  return balanced([
    posting(receivable(customerId), owed),
    posting(revenue, -netCents),
    ...taxes.flatMap(taxPosting),
  ])
}

/** A credit note reverses revenue and tax of its invoice: the invoice's posting with opposite signs. */
export function creditNoteIssued(document: TaxedAmounts): Posting[] {
  return reversed(invoiceIssued(document))
}

/** Money came in: what is due of it pays the receivable, the rest is the customer's credit. */
export function paymentReceived(money: CustomerMoney & { readonly dueCents: Cents }): Posting[] {
  const { customerId, gatewayId, amountCents, dueCents } = money
  const applied = Math.min(amountCents, dueCents)
  return balanced([
    posting(cash(gatewayId), amountCents),
    posting(receivable(customerId), -applied),
    posting(credit(customerId), applied - amountCents),
  ])
}

/** The provider kept a fee for a payment. */
export function feeCharged({ gatewayId, amountCents }: GatewayAmount): Posting[] {
  return transfer(fees, cash(gatewayId), amountCents)
}

/** The customer paid money in for later; there is no tax on it yet (R2.9). */
export function creditToppedUp({ customerId, gatewayId, amountCents }: CustomerMoney): Posting[] {
  return transfer(cash(gatewayId), credit(customerId), amountCents)
}

/** Credit pays an invoice; `held` if it was set aside for that invoice before (R3.8). */
export function creditApplied(
  { customerId, amountCents }: CustomerAmount,
  from: 'balance' | 'held' = 'balance',
): Posting[] {
  const source = from === 'held' ? heldCredit(customerId) : credit(customerId)
  return transfer(source, receivable(customerId), amountCents)
}

/** Credit is set aside for a pro forma invoice, so that it cannot be spent twice (R3.8). */
export function creditHeld({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(credit(customerId), heldCredit(customerId), amountCents)
}

/** The pro forma ended without a sale: what was set aside is freed (R3.8). */
export function creditReleased(amount: CustomerAmount): Posting[] {
  return reversed(creditHeld(amount))
}

/** Money of an invoice goes back through the gateway; the credit note is posted separately. */
export function refundedToGateway({ customerId, gatewayId, amountCents }: CustomerMoney) {
  return transfer(receivable(customerId), cash(gatewayId), amountCents)
}

/** Money of an invoice becomes customer credit: a refund to credit, or a failed refund (R3.7). */
export function refundedToCredit({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(receivable(customerId), credit(customerId), amountCents)
}

/** Credit is paid out again, without a tax document (R3.7). */
export function creditPaidOut({ customerId, gatewayId, amountCents }: CustomerMoney): Posting[] {
  return transfer(credit(customerId), cash(gatewayId), amountCents)
}

/** The host gives credit away. */
export function goodwillGranted({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(goodwill, credit(customerId), amountCents)
}

/** Credit that was given away is taken back. */
export function goodwillRemoved(amount: CustomerAmount): Posting[] {
  return reversed(goodwillGranted(amount))
}

/** A dispute was opened and the provider withdrew the money (R3.10). */
export function disputeOpened({ gatewayId, amountCents }: GatewayAmount): Posting[] {
  return transfer(disputed, cash(gatewayId), amountCents)
}

/** The dispute was won: the money came back. */
export function disputeWon(amount: GatewayAmount): Posting[] {
  return reversed(disputeOpened(amount))
}

/** The dispute was lost: the customer owes the money again (R3.10). */
export function disputeLost({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(receivable(customerId), disputed, amountCents)
}

/** The dispute was lost over money that had become customer credit: that is taken back (R3.10). */
export function disputeLostToCredit({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(credit(customerId), disputed, amountCents)
}

/** The dispute was lost over money that is neither on an invoice nor in customer credit any more. */
export function disputeWrittenOff({ amountCents }: Pick<CustomerMoney, 'amountCents'>): Posting[] {
  return transfer(badDebt, disputed, amountCents)
}

/** Money of a lost dispute that was written off was recovered. */
export function disputeRecovered({ gatewayId, amountCents }: GatewayAmount): Posting[] {
  return transfer(cash(gatewayId), badDebt, amountCents)
}

/** What is due on an invoice was given up (R3.2). */
export function writtenOff({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(badDebt, receivable(customerId), amountCents)
}

/** A written-off invoice is paid after all; the payment is posted separately. */
export function writeOffRecovered(amount: CustomerAmount): Posting[] {
  return reversed(writtenOff(amount))
}

/** What a customer owed in the system they were imported from. */
export function openingReceivable({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(receivable(customerId), opening, amountCents)
}

/** Credit a customer had in the system they were imported from. */
export function openingCredit({ customerId, amountCents }: CustomerAmount): Posting[] {
  return transfer(opening, credit(customerId), amountCents)
}

/** The refund of an imported payment. Its sale is in the books of the previous system. */
export function importedPaymentRefunded({
  gatewayId,
  amountCents,
}: Pick<CustomerMoney, 'amountCents'> & { readonly gatewayId: string | null }): Posting[] {
  return transfer(opening, gatewayId === null ? importedRefunds : cash(gatewayId), amountCents)
}

/** The same postings with opposite signs: corrections are added, never made in place (R5.2). */
export function reversed(postings: readonly Posting[]): Posting[] {
  return postings.map(({ account, amountCents }) => posting(account, -amountCents))
}

/** Moves cents from one account to another: debits the first, credits the second. */
export function transfer(debit: Account, from: Account, amountCents: Cents): Posting[] {
  if (amountCents < 0) throw new RangeError(`Not an amount to post: ${amountCents}`)
  return balanced([posting(debit, amountCents), posting(from, -amountCents)])
}

/** Postings without those of 0. Throws a RangeError if debits and credits differ (invariant 20). */
export function balanced(postings: readonly Posting[]): Posting[] {
  const difference = sumCents(postings.map(({ amountCents }) => amountCents))
  if (difference !== 0) throw new RangeError(`Postings are ${difference} cents out of balance`)
  return postings.filter(({ amountCents }) => amountCents !== 0)
}

/** Category O has no rate, and so no tax to post. */
function taxPosting({ country, rateBasisPoints, taxCents }: TaxedAmounts['taxes'][number]) {
  return rateBasisPoints === null ? [] : [posting(tax(country, rateBasisPoints), -taxCents)]
}

function posting(account: Account, amountCents: number): Posting {
  return { account, amountCents: cents(amountCents) }
}
