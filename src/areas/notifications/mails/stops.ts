import type { UserKey } from '#platform/area.ts'
import type { Secrets } from '#platform/secrets.ts'
import { isKind } from '../preferences/policy.ts'
import type { Kind } from '../texts/kinds.ts'

export const STOP_PATH = '/v1/notifications/unsubscribe'

type Stop = UserKey & { kind: string }

/** The address that stops mails of one kind to one person, for whoever has it. */
export function stopUrl(
  secrets: Secrets,
  { origin, tenantId, userId, kind }: Stop & { origin: string },
): string {
  const token = secrets.seal(`${userId} ${kind}`, boundTo(tenantId))
  return `${origin}${STOP_PATH}?token=${token}`
}

/** Whose mails of which kind a token stops; null for one that we did not make for this tenant. */
export function readStop(
  secrets: Secrets,
  { tenantId, token }: { tenantId: string; token: string },
): (UserKey & { kind: Kind }) | null {
  try {
    const [userId = '', kind = ''] = secrets.open(token, boundTo(tenantId)).split(' ')
    return isKind(kind) ? { tenantId, userId, kind } : null
  } catch {
    return null
  }
}

function boundTo(tenantId: string): string {
  return `notifications.unsubscribe ${tenantId}`
}
