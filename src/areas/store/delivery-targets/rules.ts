import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { randomToken, type Secrets, sameBytes, tokenHash } from '#platform/secrets.ts'
import { keyOf, newSecret, secretEndOf } from '#platform/webhooks/secret.ts'

export type TargetRow = Row<'store.delivery_targets'>
export type TargetKey = Pick<TargetRow, 'tenantId' | 'productId'>

/** How long a replaced secret and token stay valid. */
const OVERLAP_MS = DAY_MS

/**
 * A new secret and a new token for a target, in clear and as they are stored; earlier ones stay valid for a day.
 */
export function newCredentials(secrets: Secrets, target: TargetRow, now: Instant) {
  const secret = newSecret()
  const token = randomToken('moord_')
  const { sealedSecret, tokenHash: hash } = target
  const previous = sealedSecret !== null && hash !== null
  return {
    ...{ secret, token },
    kept: {
      sealedSecret: secrets.seal(secret, boundTo(target)),
      secretEnd: secretEndOf(secret),
      tokenHash: tokenHash(token),
      sealedPreviousSecret: previous ? sealedSecret : null,
      previousTokenHash: previous ? hash : null,
      previousEndsAt: previous ? later(now, OVERLAP_MS) : null,
      testedAt: null,
    },
  }
}

/** The keys that sign for a target now, the current one first; none if it has no secret yet. */
export function targetKeys(secrets: Secrets, target: TargetRow, now: Instant): Buffer[] {
  const { sealedSecret, sealedPreviousSecret } = target
  const sealed = [sealedSecret, overlaps(target, now) ? sealedPreviousSecret : null]
  return sealed.filter((it) => it !== null).map((it) => keyOf(secrets.open(it, boundTo(target))))
}

/** Whether a token is valid for callbacks of a target's system. */
export function isTokenOf(target: TargetRow, token: string, now: Instant): boolean {
  const hash = tokenHash(token)
  const kept = [target.tokenHash, overlaps(target, now) ? target.previousTokenHash : null]
  return kept.some((it) => it !== null && sameBytes(it, hash))
}

function overlaps({ previousEndsAt }: TargetRow, now: Instant): boolean {
  return previousEndsAt !== null && previousEndsAt > now
}

function boundTo({ tenantId, productId }: TargetKey): string {
  return `store.delivery_targets ${tenantId} ${productId}`
}

/** The columns with sealed secrets. */
export const sealedTargets = (['sealedSecret', 'sealedPreviousSecret'] as const).map((column) =>
  sealedColumn('store.delivery_targets', column, ['tenantId', 'productId'], boundTo),
)

/** What staff may change of a target, and what they see of its credentials. */
export function targetView(target: TargetRow | undefined) {
  if (!target) return { webhook: null, webhookStatus: null }
  const { url, includeCustomer, confirmHours, secretEnd, testedAt } = target
  return { webhook: { url, includeCustomer, confirmHours }, webhookStatus: { secretEnd, testedAt } }
}
