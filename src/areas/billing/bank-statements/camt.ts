import { withoutSpaces } from '#lib/iban.ts'
import { sumCents } from '#lib/money.ts'
import { timeSlices } from '#platform/time-slices.ts'
import { amountIn, dayIn, kept, type Statement, type StatementEntry, unreadable } from './entry.ts'
import { all, type Element, first, readXml, textAt, XmlError } from './xml.ts'

/** What banks write if they have no reference. */
const NO_REFERENCE = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED'])

/**
 * Reads a bank-to-customer statement (CAMT.053, ISO 20022, any version): the booked credits one by
 * one, also those of a collective entry. Throws 422 for anything else.
 */
export async function readCamt(text: string): Promise<Statement> {
  const document = await parsed(text)
  const statements = all(first(document, 'BkToCstmrStmt'), 'Stmt')
  if (document.name !== 'Document' || statements.length === 0) {
    throw unreadable('it is no CAMT.053 statement')
  }
  const accounts = statements.flatMap((it) => textAt(it, 'Acct', 'Id', 'IBAN') ?? [])
  const booked = statements.flatMap((it) => all(it, 'Ntry')).filter(isBooked)
  const credits = booked.filter((it) => textAt(it, 'CdtDbtInd') === 'CRDT')
  const slice = timeSlices()
  const entries: StatementEntry[] = []
  for (const [index, credit] of credits.entries()) {
    await slice()
    for (const entry of entriesOf(credit, `credit ${index + 1}`)) entries.push(entry)
  }
  return {
    accounts: accounts.map(withoutSpaces),
    entries,
    debits: booked.length - credits.length,
  }
}

async function parsed(text: string): Promise<Element> {
  try {
    return await readXml(text)
  } catch (error) {
    if (error instanceof XmlError) throw unreadable(error.message)
    throw error
  }
}

/** Older versions contain the status as a word, newer ones as a code. Pending may never arrive. */
function isBooked(entry: Element): boolean {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  return status === undefined || status === 'BOOK'
}

/** The payments of a collective entry, if their amounts add up to its amount. */
function entriesOf(entry: Element, where: string): StatementEntry[] {
  const whole = amountOf(first(entry, 'Amt'), where)
  if (whole.amountCents <= 0) return []
  const details = all(entry, 'NtryDtls').flatMap((it) => all(it, 'TxDtls'))
  const bookedOn = dayIn(dayOf(entry, 'BookgDt') ?? dayOf(entry, 'ValDt'), where)
  const bankReference = referenceOf(textAt(entry, 'AcctSvcrRef'))
  if (details.length > 1) {
    const amounts = details.map((it) => amountOfPart(it, where))
    const known = amounts.filter((it) => it !== undefined)
    const complete = known.length === details.length
    const alike = known.every(({ currency }) => currency === whole.currency)
    const sum = sumCents(known.map(({ amountCents }) => amountCents))
    if (complete && alike && sum === whole.amountCents) {
      return details.map((detail, index) => ({
        ...{ bookedOn, ...whole, ...amounts[index], ...partiesOf([detail]) },
        bankReference: referenceOf(textAt(detail, 'Refs', 'AcctSvcrRef')) ?? bankReference,
      }))
    }
  }
  const own = details.length === 1 && details[0] && textAt(details[0], 'Refs', 'AcctSvcrRef')
  return [
    {
      ...{ bookedOn, ...whole, ...partiesOf(details) },
      bankReference: bankReference ?? referenceOf(own || undefined),
    },
  ]
}

function amountOf(amount: Element | undefined, where: string) {
  const currency = amount?.attributes.get('Ccy') ?? ''
  return { currency, amountCents: amountIn(amount?.text.trim() ?? '', currency, where) }
}

function amountOfPart(detail: Element, where: string) {
  const amount = first(detail, 'Amt') ?? first(detail, 'AmtDtls', 'TxAmt', 'Amt')
  return amount && amountOf(amount, where)
}

function dayOf(entry: Element, name: string): string | undefined {
  return textAt(entry, name, 'Dt') ?? textAt(entry, name, 'DtTm')?.slice(0, 10)
}

function referenceOf(text: string | undefined): string | null {
  const reference = kept(text)
  return reference && !NO_REFERENCE.has(reference.toUpperCase()) ? reference : null
}

function partiesOf(details: readonly Element[]) {
  const [detail] = details
  const parties = detail && first(detail, 'RltdPties')
  const name = parties && (textAt(parties, 'Dbtr', 'Nm') ?? textAt(parties, 'Dbtr', 'Pty', 'Nm'))
  const iban = parties && textAt(parties, 'DbtrAcct', 'Id', 'IBAN')
  return {
    payerName: kept(name),
    payerIban: kept(iban && withoutSpaces(iban)),
    remittance: kept(details.flatMap(writtenIn).join(' ')),
  }
}

/** The reference comes first: there may be room for nothing else. */
function writtenIn(detail: Element): string[] {
  const remittance = first(detail, 'RmtInf')
  const structured = all(remittance, 'Strd').flatMap((it) => textAt(it, 'CdtrRefInf', 'Ref') ?? [])
  const free = all(remittance, 'Ustrd').map(({ text }) => text)
  const endToEnd = referenceOf(textAt(detail, 'Refs', 'EndToEndId'))
  return [...structured, ...free, ...(endToEnd ? [endToEnd] : [])]
}
