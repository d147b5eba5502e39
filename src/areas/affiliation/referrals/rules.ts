import { mailboxOf } from '#lib/mailbox.ts'
import type { Row } from '#platform/database/index.ts'

export type ReferralRow = Row<'affiliation.referrals'>
export type Refusal = NonNullable<ReferralRow['refusal']>

/** The data by which two accounts of one person are recognised. */
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
 * Why a referred person and the affiliate are the same person (R6.2); null if they are not, judging by what is
 * known. `sharedMeans`: they have paid with the same card or account.
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

/** Whether two people have the same billing address: a household, which needs a review. */
export function shareHome(one: Identity, other: Identity): boolean {
  if (!one.address || !other.address) return false
  return homeOf(one.address) === homeOf(other.address)
}

/** The part of a name that an affiliate sees: its first letter. */
export function maskedName(name: string): string {
  const [first = ''] = name.trim()
  return `${first}***`
}

function homeOf({ line1, postcode, country }: NonNullable<Identity['address']>): string {
  return [country, postcode, line1]
    .map((it) => it.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .join(' ')
}
