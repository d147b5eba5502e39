import type { UserKey } from '#platform/area.ts'
import type { Secrets } from '#platform/secrets.ts'
import { isKind } from '../preferences/policy.ts'
import type { Kind } from '../texts/kinds.ts'

export const STOP_PATH = '/v1/notifications/unsubscribe'

type Stop = UserKey & { kind: string }

/** The URL that unsubscribes a person from mails of one kind, for anyone who has it. */
export function stopUrl(
  secrets: Secrets,
  { origin, tenantId, userId, kind }: Stop & { origin: string },
): string {
  const token = secrets.seal(`${userId} ${kind}`, boundTo(tenantId))
  return `${origin}${STOP_PATH}?token=${token}`
}

/** The person and kind of an unsubscribe token; null unless it was issued for this tenant. */
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
