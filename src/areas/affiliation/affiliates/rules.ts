import { randomInt } from 'node:crypto'
import { cents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Row } from '#platform/database/index.ts'
import type { Affiliate, AffiliateTotals } from './schema.ts'

export type AffiliateRow = Row<'affiliation.affiliates'>

/** Without those that look like another: codes are read out and typed. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8

/** A new code. A trillion of them: one that is taken is rare, and another is tried. */
export function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** A code as it is kept: spaces around it and its case do not count. */
export function codeOf(typed: string): string {
  return typed.trim().toUpperCase()
}

/** Where an affiliate sends people. */
export function linkOf(origin: string, code: string): string {
  return `${origin}/?ref=${code}`
}

type Standing = Pick<AffiliateRow, 'suspendedAt' | 'closedAt'>

/** Never stored: follows from what happened. */
export function statusOf({ suspendedAt, closedAt }: Standing): Affiliate['status'] {
  if (closedAt) return 'closed'
  return suspendedAt ? 'suspended' : 'active'
}

/** Whether clicks count and commission arises: not while suspended, nor once the account has ended. */
export function earns(affiliate: Standing): boolean {
  return statusOf(affiliate) === 'active'
}

/** Throws 409 for an affiliate whose account has ended: nothing moves there any more. */
export function assertThere(affiliate: Standing): void {
  if (affiliate.closedAt)
    throw conflict('The account of this affiliate has ended.', 'affiliate_closed')
}

/** Throws 409 for one who is suspended. */
export function assertNotSuspended(affiliate: Standing): void {
  if (!affiliate.suspendedAt) return
  throw conflict('This affiliation is suspended. Please contact us.', 'affiliate_suspended')
}

/** The totals in one currency; zeros where nothing was earned in it. */
export function totalsIn(totals: readonly AffiliateTotals[], currency: string): AffiliateTotals {
  const none = cents(0)
  const zeros = { pendingCents: none, availableCents: none, convertedCents: none }
  return (
    totals.find((it) => it.currency === currency) ?? { ...zeros, reversedCents: none, currency }
  )
}
