import { DAY_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import { keyOf, SECRET_PREFIX, secretEndOf } from '#platform/webhooks/secret.ts'
import type { Endpoint } from './schema.ts'

export type EndpointRow = Row<'webhooks.endpoints'>

/** How long deliveries to an endpoint may fail before it is switched off. */
export const PATIENCE_MS = 5 * DAY_MS

const DAY_SECONDS = 24 * 3600

/** The stored form of a secret: it can only be decrypted in its own row. */
export function keptSecret(secrets: Secrets, key: { tenantId: string; id: string }, clear: string) {
  return {
    sealedSecret: secrets.seal(clear, boundTo(key)),
    secretEnd: secretEndOf(clear),
  }
}

/** The columns with sealed secrets. */
export const sealedSecrets = (['sealedSecret', 'sealedPreviousSecret'] as const).map((column) =>
  sealedColumn('webhooks.endpoints', column, ['tenantId', 'id'], boundTo),
)

type Keys = Pick<EndpointRow, 'tenantId' | 'id' | 'sealedSecret'> &
  Pick<EndpointRow, 'sealedPreviousSecret' | 'previousSecretEndsAt'>

/** The keys that sign for an endpoint now, the current one first. */
export function signingKeys(secrets: Secrets, endpoint: Keys, now: Instant): Buffer[] {
  const { sealedSecret, sealedPreviousSecret: previous, previousSecretEndsAt } = endpoint
  const overlaps = previous !== null && isRunning(previousSecretEndsAt, now)
  const sealed = overlaps ? [sealedSecret, previous] : [sealedSecret]
  return sealed.map((it) => keyOf(secrets.open(it, boundTo(endpoint))))
}

/**
 * What an endpoint stores of its previous secret: it also signs until the overlap ends. One that was
 * replaced earlier ends now: no more than two ever sign.
 */
export function overlapOf(
  { sealedSecret }: Pick<EndpointRow, 'sealedSecret'>,
  overlapSeconds = DAY_SECONDS,
  now: Instant,
) {
  if (overlapSeconds === 0) return { sealedPreviousSecret: null, previousSecretEndsAt: null }
  const previousSecretEndsAt = later(now, overlapSeconds * SECOND_MS)
  return { sealedPreviousSecret: sealedSecret, previousSecretEndsAt }
}

/** What changes if an administrator switches an endpoint on or off; nothing if it is so already. */
export function switched(
  { disabledAt }: Pick<EndpointRow, 'disabledAt'>,
  enabled: boolean | undefined,
  now: Instant,
): Partial<EndpointRow> {
  if (enabled === undefined || enabled === (disabledAt === null)) return {}
  if (!enabled) return { disabledAt: now, disabledReason: 'by_admin' }
  return { disabledAt: null, disabledReason: null, failingSince: null, pausedUntil: null }
}

/** The endpoint as it is shown. `clear` is its secret if it was just created. */
export function endpointView(row: EndpointRow, now: Instant, clear?: string): Endpoint {
  const { id, url, description, types: events, ordered, disabledAt, disabledReason } = row
  const { failingSince, previousSecretEndsAt, createdAt } = row
  return {
    ...{ id, url, description, events, ordered, enabled: disabledAt === null },
    ...{ disabledAt, disabledReason, failingSince, secret: clear ?? masked(row) },
    previousSecretEndsAt: isRunning(previousSecretEndsAt, now) ? previousSecretEndsAt : null,
    createdAt,
  }
}

function masked({ secretEnd }: Pick<EndpointRow, 'secretEnd'>): string {
  return `${SECRET_PREFIX}••••${secretEnd}`
}

function isRunning(endsAt: Instant | null, now: Instant): boolean {
  return endsAt !== null && endsAt > now
}

function boundTo({ tenantId, id }: { tenantId: string; id: string }): string {
  return `webhooks.endpoints ${tenantId} ${id}`
}
