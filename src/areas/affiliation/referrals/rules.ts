import { mailboxOf } from '#lib/mailbox.ts'
import type { Row } from '#platform/database/index.ts'

export type ReferralRow = Row<'affiliation.referrals'>
export type Refusal = NonNullable<ReferralRow['refusal']>

/** What tells one person from another. */
export type Identity = {
  readonly email: string
  readonly vatNumber: string | null
  readonly address: {
    readonly line1: string
    readonly postcode: string
    readonly country: string
  } | null
}

/**
 * Why somebody who was brought is the one who brought them (R6.2); null when they are not, as far as
 * can be told. `sharedMeans`: they have paid with the same card or account.
 */
export function refusalOf(
  affiliate: Identity,
  customer: Identity,
  { sharedMeans }: { sharedMeans: boolean },
): Refusal | null {
  if (mailboxOf(affiliate.email) === mailboxOf(customer.email)) return 'same_email'
  if (sharedMeans) return 'same_payment_method'
  const { vatNumber } = customer
  return vatNumber !== null && vatNumber === affiliate.vatNumber ? 'same_vat_number' : null
}

/** Whether two people have the same billing address: a household, to be looked at. */
export function shareHome(one: Identity, other: Identity): boolean {
  if (!one.address || !other.address) return false
  return homeOf(one.address) === homeOf(other.address)
}

/** What an affiliate sees of a name: its first letter. */
export function maskedName(name: string): string {
  const [first = ''] = name.trim()
  return `${first}***`
}

function homeOf({ line1, postcode, country }: NonNullable<Identity['address']>): string {
  return [country, postcode, line1]
    .map((it) => it.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .join(' ')
}
