import { randomInt } from 'node:crypto'
import { cents } from '#lib/money.ts'
import { conflict } from '#lib/problem.ts'
import type { Row } from '#platform/database/index.ts'
import type { Affiliate, AffiliateTotals } from './schema.ts'

export type AffiliateRow = Row<'affiliation.affiliates'>

/** Without characters that look like another one: codes are read out and typed. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8

/** A new code, one of a trillion: a collision is rare, and then another code is tried. */
export function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** A code as it is stored: surrounding spaces and case are ignored. */
export function codeOf(typed: string): string {
  return typed.trim().toUpperCase()
}

/** The link that an affiliate shares. */
export function linkOf(origin: string, code: string): string {
  return `${origin}/?ref=${code}`
}

type Standing = Pick<AffiliateRow, 'suspendedAt' | 'closedAt'>

/** Derived from the dates; never stored. */
export function statusOf({ suspendedAt, closedAt }: Standing): Affiliate['status'] {
  if (closedAt) return 'closed'
  return suspendedAt ? 'suspended' : 'active'
}

/** Whether clicks count and commission arises: not while suspended, nor once the account has ended. */
export function earns(affiliate: Standing): boolean {
  return statusOf(affiliate) === 'active'
}

/** Throws 409 for an affiliate whose account has ended: nothing about it changes any more. */
export function assertThere(affiliate: Standing): void {
  if (affiliate.closedAt)
    throw conflict('The account of this affiliate has ended.', 'affiliate_closed')
}

/** Throws 409 for a suspended affiliate. */
export function assertNotSuspended(affiliate: Standing): void {
  if (!affiliate.suspendedAt) return
  throw conflict('This affiliation is suspended. Please contact us.', 'affiliate_suspended')
}

/** The totals in one currency; zeros if nothing was earned in it. */
export function totalsIn(totals: readonly AffiliateTotals[], currency: string): AffiliateTotals {
  const none = cents(0)
  const zeros = { pendingCents: none, availableCents: none, convertedCents: none }
  return (
    totals.find((it) => it.currency === currency) ?? { ...zeros, reversedCents: none, currency }
  )
}
