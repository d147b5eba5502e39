import { unprocessable } from '#lib/problem.ts'
import type { Outbound } from '../outbound.ts'

type Opened = Pick<Outbound, 'isOpened'>

/** Throws 422 for an address that may not be called, and `https_required` for one without encryption. */
export async function assertUsable(
  address: string,
  client: Pick<Outbound, 'assertAllowedUrl' | 'isOpened'>,
): Promise<void> {
  await client.assertAllowedUrl(address)
  if (URL.canParse(address) && (await isUnencrypted(address, client))) {
    throw unprocessable('The address has to begin with https.', 'https_required')
  }
}

/**
 * Whether an address is unencrypted although the operator has not allowed exactly that host and port for
 * webhooks of the tenant.
 */
export async function isUnencrypted(text: string, client: Opened): Promise<boolean> {
  return new URL(text).protocol !== 'https:' && !(await client.isOpened(text))
}
