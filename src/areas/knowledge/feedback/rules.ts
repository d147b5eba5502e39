import { createHmac } from 'node:crypto'
import { networkOf } from '#lib/network.ts'
import type { Instant } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'

type Visit = { readonly tenantId: string; readonly address: string; readonly now: Instant }

/**
 * Identifies a visitor of one shop on one day; the address cannot be derived from it without the
 * key.
 */
export function visitorOf(
  secrets: Pick<Secrets, 'keysFor'>,
  { tenantId, address, now }: Visit,
): Buffer {
  const [current] = secrets.keysFor('article feedback')
  if (!current) throw new Error('No secret key')
  const day = now.slice(0, 10)
  return createHmac('sha256', current.key)
    .update(`${tenantId} ${day} ${networkOf(address)}`)
    .digest()
}
