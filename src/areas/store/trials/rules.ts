import { hmac } from '#platform/secrets.ts'

/**
 * What identifies a person besides their account (R4.3): the normalised address, the fingerprint of a
 * payment method, or an account on a panel.
 */
export type Identity = { readonly kind: 'address' | 'method' | 'panel'; readonly value: string }

/** What is stored of an identity: a hash that only this installation can compute again. */
export function markOf(key: Buffer, { kind, value }: Identity): string {
  return hmac(key, `${kind} ${value}`)
}
