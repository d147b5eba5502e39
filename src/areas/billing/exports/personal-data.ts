import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listEntriesOf } from '../bank-statements/queries.ts'
import { linesOfNotes, listCreditNotesOf } from '../credit-notes/queries.ts'
import { creditNoteView } from '../credit-notes/view.ts'
import {
  listImportedCreditOf,
  listImportedPaymentsOf,
  listImportedRefundsOf,
} from '../imported/queries.ts'
import { listInvoicesOf, partsOfAll } from '../invoices/queries.ts'
import { listMethodsOf } from '../methods/queries.ts'
import { listDisputesOfPerson, listPaymentsOfPerson, listRefundsOfPerson } from './queries.ts'

const PAGE = 100
const MOST_PAYMENTS = 10_000

/** What billing stores about a person: complete documents, money, methods by their last digits. */
export function personalData(db: Db, user: UserKey) {
  return {
    invoices: invoicesOf(db, user),
    creditNotes: creditNotesOf(db, user),
    payments: () => listPaymentsOfPerson(db, user, MOST_PAYMENTS),
    importedPayments: () => listImportedPaymentsOf(db, user, MOST_PAYMENTS),
    importedRefunds: () => listImportedRefundsOf(db, user, MOST_PAYMENTS),
    importedCredit: () => listImportedCreditOf(db, user, MOST_PAYMENTS),
    bankTransfers: () => listEntriesOf(db, user, MOST_PAYMENTS),
    disputes: () => listDisputesOfPerson(db, user, MOST_PAYMENTS),
    refunds: () => listRefundsOfPerson(db, user, MOST_PAYMENTS),
    paymentMethods: async () => {
      const { data } = await listMethodsOf(db, user, { limit: PAGE })
      return data.map(({ id, kind, brand, last4, expMonth, expYear, label, createdAt }) => ({
        ...{ id, kind, brand, last4, expMonth, expYear, label, createdAt },
      }))
    },
  }
}

/** Page by page, so that a long history is never in memory as a whole. */
async function* invoicesOf(db: Db, user: UserKey) {
  let cursor: string | null | undefined
  do {
    const page = await listInvoicesOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    const parts = await partsOfAll(
      db,
      user.tenantId,
      page.data.map(({ id }) => id),
    )
    for (const {
      contentHash,
      sourceFingerprint,
      targetFingerprint,
      tenantId,
      ...invoice
    } of page.data) {
      const lines = parts.lines.filter((it) => it.invoiceId === invoice.id)
      const taxes = parts.taxes.filter((it) => it.invoiceId === invoice.id)
      yield { ...invoice, lines, taxes }
    }
    cursor = page.nextCursor
  } while (cursor)
}

async function* creditNotesOf(db: Db, user: UserKey) {
  let cursor: string | null | undefined
  do {
    const page = await listCreditNotesOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    const ids = page.data.map(({ id }) => id)
    const lines = await linesOfNotes(db, user.tenantId, ids)
    for (const note of page.data) {
      const { seller, buyer, mentions } = note
      yield { ...creditNoteView(note, lines), seller, buyer, mentions }
    }
    cursor = page.nextCursor
  } while (cursor)
}
