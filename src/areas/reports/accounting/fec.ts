import { type Day, dayOf } from '#lib/time.ts'
import { amountCell, dayCell } from './cells.ts'
import { plainText } from './charset.ts'
import { type Standing, standingOf } from './charts.ts'
import type { Entry } from './entry.ts'
import type { FecAccount } from './settings.ts'

/** What the lines depend on besides the bookings. */
export type FecBooks = {
  readonly accounts: Readonly<Record<FecAccount, string>>
  readonly drivers: ReadonlyMap<string, string>
  /** The name of a customer. */
  readonly nameOf: (userId: string) => string
}

/** The columns of the file, in their order. */
export const FEC_COLUMNS = [
  ...(['JournalCode', 'JournalLib', 'EcritureNum', 'EcritureDate', 'CompteNum'] as const),
  ...(['CompteLib', 'CompAuxNum', 'CompAuxLib', 'PieceRef', 'PieceDate'] as const),
  ...(['EcritureLib', 'Debit', 'Credit', 'EcritureLet', 'DateLet', 'ValidDate'] as const),
  ...(['Montantdevise', 'Idevise'] as const),
] as const
type FecColumn = (typeof FEC_COLUMNS)[number]
export type FecLine = Readonly<Record<FecColumn, string>>

const JOURNALS = { VE: 'Ventes', BQ: 'Banque', OD: 'Opérations diverses' } as const

const LABELS: Readonly<Record<FecAccount, string>> = {
  ...{ customers: 'Clients', sales: 'Prestations de services', vat: 'TVA collectée' },
  ...{ vatAbroad: 'TVA collectée hors de France', customerCredit: 'Avances des clients' },
  ...{ stripe: 'Banque', mollie: 'Banque', paypal: 'Banque', bank_transfer: 'Banque' },
  ...{ otherGateways: 'Banque', disputedPayments: 'Paiements contestés' },
  ...{ providerFees: 'Services bancaires', badDebts: 'Pertes sur créances irrécouvrables' },
  ...{ goodwillCredit: 'Charges diverses de gestion courante' },
  ...{ affiliateCommissions: 'Commissions sur ventes', affiliateBalances: 'Affiliés' },
  ...{ moneyInTransit: 'Virements internes', openingBalances: 'Bilan d’ouverture' },
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ invoice_issued: 'Facture', credit_note: 'Avoir', payment_received: 'Paiement' },
  ...{ top_up: 'Recharge', gateway_fee: 'Frais', refund: 'Remboursement' },
  ...{ refund_failed: 'Remboursement refusé', written_off: 'Perte' },
  ...{ write_off_recovered: 'Perte récupérée', credit_applied: 'Crédit utilisé' },
  ...{ credit_held: 'Crédit réservé', credit_released: 'Crédit libéré' },
  ...{ goodwill: 'Geste commercial', goodwill_removed: 'Geste commercial repris' },
  ...{ voucher_redeemed: 'Bon utilisé' },
  ...{ dispute_opened: 'Paiement contesté', dispute_won: 'Contestation gagnée' },
  ...{ dispute_lost: 'Contestation perdue', dispute_fee: 'Frais de contestation' },
  ...{ commission: 'Commission', commission_reversed: 'Commission annulée' },
}

const SET = 'iso-8859-15'
const LONGEST = 200
const HOME = 'FR'

/** The lines of a transaction: one for each posting, debits first. `sequence` is the number of the entry. */
export function fecLines(entry: Entry, sequence: number, books: FecBooks): FecLine[] {
  const { at, kind, id, currency } = entry
  const date = dayCell(dayOf(at))
  const journal = journalOf(entry)
  const number = plainText(SET, entry.number ?? id, LONGEST)
  const label = plainText(SET, [WORDS[kind] ?? 'Opération', entry.number].join(' '), LONGEST)
  const isForeign = currency !== 'EUR'
  const sorted = entry.postings.toSorted(
    (a, b) => Number(b.amountCents > 0) - Number(a.amountCents > 0),
  )
  return sorted.map(({ account: code, amountCents }) => {
    const standing = standingOf(code, books.drivers)
    const account = accountOf(standing)
    const userId =
      standing.kind === 'receivable' || standing.kind === 'shared' ? standing.userId : null
    const amount = amountCell(Math.abs(amountCents), currency)
    const [debit, credit] = amountCents > 0 ? [amount, ZERO] : [ZERO, amount]
    return {
      ...{ JournalCode: journal, JournalLib: JOURNALS[journal], EcritureNum: String(sequence) },
      ...{
        EcritureDate: date,
        CompteNum: books.accounts[account],
        CompteLib: labelOf(account, books),
      },
      ...{ CompAuxNum: userId ?? '', CompAuxLib: userId === null ? '' : auxiliary(userId, books) },
      ...{ PieceRef: number, PieceDate: date, EcritureLib: label, Debit: debit, Credit: credit },
      ...{ EcritureLet: '', DateLet: '', ValidDate: date },
      ...{ Montantdevise: isForeign ? amount : '', Idevise: isForeign ? currency : '' },
    }
  })
}

/** A line as text, without its line end. */
export function fecText(line: FecLine): string {
  return FEC_COLUMNS.map((column) => line[column]).join('\t')
}

/** The name of the file of a business: it ends with the last day that is in it. */
export function fecName(siren: string, to: Day): string {
  return `${siren}FEC${dayCell(to)}.txt`
}

function journalOf({ document, postings }: Entry): keyof typeof JOURNALS {
  if (document) return 'VE'
  return postings.some(({ account }) => account.startsWith('cash:')) ? 'BQ' : 'OD'
}

function accountOf(standing: Standing): FecAccount {
  switch (standing.kind) {
    case 'receivable':
      return 'customers'
    case 'revenue':
      return 'sales'
    case 'tax':
      return standing.country === HOME ? 'vat' : 'vatAbroad'
    default:
      return standing.account
  }
}

/** Accounts with the same number have the same label: that of the first of them. */
function labelOf(account: FecAccount, { accounts }: FecBooks): string {
  const names = Object.keys(LABELS) as FecAccount[]
  const first = names.find((name) => accounts[name] === accounts[account])
  return plainText(SET, LABELS[first ?? account], LONGEST)
}

function auxiliary(userId: string, { nameOf }: FecBooks): string {
  return plainText(SET, nameOf(userId), LONGEST) || userId
}

const ZERO = '0,00'
