import { createHash } from 'node:crypto'
import { centsOfDecimal, isCurrency } from '#lib/currency.ts'
import type { Cents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import { type Day, day, isDay } from '#lib/time.ts'

/** Money that came in, as the bank statement reports it. */
export type StatementEntry = {
  readonly bookedOn: Day
  readonly amountCents: Cents
  readonly currency: string
  /** The bank's own id of the entry. */
  readonly bankReference: string | null
  readonly payerName: string | null
  readonly payerIban: string | null
  /** What the payer wrote. */
  readonly remittance: string | null
}

/** The content of a bank's file. */
export type Statement = {
  /** The accounts of the statement; empty if the file does not name them. */
  readonly accounts: readonly string[]
  readonly entries: readonly StatementEntry[]
  /** How many entries are money that left the account; those are ignored. */
  readonly debits: number
}

const LONGEST_TEXT = 500

/** The problem of a file that cannot be read; `what` is the reason and its position. */
export function unreadable(what: string) {
  return unprocessable(`This file cannot be read: ${what}.`, 'statement_unreadable')
}

/** A text from a bank, cut to the length that is stored; null if it is empty. */
export function kept(text: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  const plain = text?.replace(/[\u0000-\u001f\u007f\s]+/g, ' ').trim()
  return plain ? plain.slice(0, LONGEST_TEXT) : null
}

/** A day of a statement. Throws 422. */
export function dayIn(text: string | undefined, where: string): Day {
  if (!text || !isDay(text)) throw unreadable(`${where} has no day`)
  return day(text)
}

/** An amount in the currency's own decimals. Throws 422. */
export function amountIn(text: string, currency: string, where: string): Cents {
  if (!isCurrency(currency)) throw unreadable(`${where} has an unknown currency`)
  if (!/^-?\d{1,12}(\.\d{1,5})?$/.test(text)) throw unreadable(`${where} has no amount`)
  try {
    return centsOfDecimal(text, currency)
  } catch {
    throw unreadable(`${where} has an amount that ${currency} does not have`)
  }
}

/**
 * A key for each entry, made of all its fields: the same entry has the same key in every file.
 * Entries that are equal in every field are told apart by their order; they are always in one file
 * together.
 */
export function keysOf(entries: readonly StatementEntry[]): string[] {
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    const { bookedOn, amountCents, currency, bankReference, payerName, payerIban, remittance } =
      entry
    const said = [bookedOn, amountCents, currency, bankReference, payerName, payerIban, remittance]
    const digest = createHash('sha256').update(JSON.stringify(said)).digest('hex')
    const before = seen.get(digest) ?? 0
    seen.set(digest, before + 1)
    return before === 0 ? digest : `${digest}-${before + 1}`
  })
}
