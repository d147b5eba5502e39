import { isId } from '#lib/id.ts'
import { type Instant, later, MINUTE_MS, millis } from '#lib/time.ts'
import type { Secrets } from '#platform/secrets.ts'

/** How long a link can be opened. */
export const LINK_MINUTES = 5

const SIDES = ['customer', 'staff'] as const

/** A file that a link names, and the person whose rights it has: as a participant, or as staff. */
export type LinkedAttachment = {
  readonly id: string
  readonly userId: string
  readonly side: (typeof SIDES)[number]
}

/** A token that opens a file of a tenant until `LINK_MINUTES` after `now`, and when it ends. */
export function linkToken(
  secrets: Pick<Secrets, 'seal'>,
  tenantId: string,
  { id, userId, side }: LinkedAttachment,
  now: Instant,
): { token: string; expiresAt: Instant } {
  const expiresAt = later(now, LINK_MINUTES * MINUTE_MS)
  const text = [id, userId, side, millis(expiresAt)].join(' ')
  return { token: secrets.seal(text, boundTo(tenantId)), expiresAt }
}

/** The file of a token and whether it can still be opened; null unless the token was made for this tenant. */
export function attachmentOfToken(
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
  token: string,
  now: Instant,
): (LinkedAttachment & { isOver: boolean }) | null {
  try {
    const [id = '', userId = '', side, endsMs] = secrets.open(token, boundTo(tenantId)).split(' ')
    const known = SIDES.find((it) => it === side)
    if (!known || !isId(id) || !isId(userId)) return null
    return { id, userId, side: known, isOver: Number(endsMs) <= millis(now) }
  } catch {
    return null
  }
}

function boundTo(tenantId: string): string {
  return `support.attachment_link ${tenantId}`
}
