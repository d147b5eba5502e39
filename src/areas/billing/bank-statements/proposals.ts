import type { Db } from '#platform/database/index.ts'
import { dueCents } from '../invoices/rules.ts'
import { type EntryRow, listLikelyInvoices } from './queries.ts'
import { namesMeet, numbersIn } from './rules.ts'

type Reason = 'number' | 'amount' | 'name'

const MOST = 20
const SHOWN = 5

/** Open invoices that an entry may pay, most likely first; a person decides. */
export async function proposalsFor(db: Db, entry: EntryRow) {
  if (entry.state === 'booked') return []
  const numbers = numbersIn(entry.remittance)
  const invoices = await listLikelyInvoices(db, { ...entry, numbers }, MOST)
  const proposals = invoices.map((invoice) => {
    const { id: invoiceId, number, userId, buyer } = invoice
    const customerName = buyer.company ?? buyer.name ?? null
    const due = dueCents(invoice)
    const payer = entry.payerName
    const reasons: Reason[] = []
    if (number !== null && numbers.includes(number)) reasons.push('number')
    if (due === entry.amountCents) reasons.push('amount')
    if (namesMeet(buyer.name ?? null, payer) || namesMeet(buyer.company ?? null, payer)) {
      reasons.push('name')
    }
    return { invoiceId, number, userId, customerName, dueCents: due, reasons }
  })
  const likely = proposals.filter(({ reasons }) => reasons.length > 0)
  return likely.sort((a, b) => weightOf(b.reasons) - weightOf(a.reasons)).slice(0, SHOWN)
}

const WEIGHTS: Readonly<Record<Reason, number>> = { number: 4, name: 2, amount: 1 }

function weightOf(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0)
}
