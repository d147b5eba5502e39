import type { Instant } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { type Outcome, post } from '#platform/webhooks/sending.ts'
import { signingKeys } from '../endpoints/rules.ts'
import type { Claimed } from './queries.ts'

/** How much of an answer is read and stored; the rest is cut off. */
const KEPT_BYTES = 4096

type Sender = Pick<Deps, 'outbound' | 'secrets' | 'config'>

/**
 * Sends a message once, signed at `now`. Any 2xx means it arrived; redirects are not followed, and
 * count as failures like everything else. Never throws.
 */
export async function send(sender: Sender, claimed: Claimed, now: Instant): Promise<Outcome> {
  const { tenantId, endpointId, messageId: id, url, body } = claimed
  const keys = () => signingKeys(sender.secrets, { ...claimed, id: endpointId }, now)
  const message = { tenantId, url, id, body, keys, keptBytes: KEPT_BYTES }
  const { text, isPrivate, ...outcome } = await post(sender, message, now)
  // Content from a private network is not for everyone who may see deliveries.
  return { ...outcome, responseBody: isPrivate ? null : text }
}
