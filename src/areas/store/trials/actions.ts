import { mailboxOf } from '#lib/mailbox.ts'
import { boundary } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { storeSettings } from '../settings.ts'
import { trialKeyOf } from './keys.ts'
import {
  deleteTrials,
  insertMarks,
  insertTrials,
  listOwnTrials,
  listReferencesOfMarks,
  type TrialRow,
} from './queries.ts'
import { type Identity, markOf } from './rules.ts'

type Trials = Pick<TrialRow, 'tenantId' | 'userId' | 'reference'> & {
  readonly productIds: readonly string[]
  /** Everything that identifies this person. */
  readonly identities: readonly Identity[]
}

/**
 * Records that a customer starts trials of these products with this order. Throws 422 if the same
 * person tried one before, under this account or another one (R4.3).
 */
export async function startTrials(
  tx: Tx,
  { identities, ...trials }: Trials,
  secrets: Secrets,
  now: Instant,
): Promise<void> {
  const productIds = [...new Set(trials.productIds)]
  if (productIds.length === 0) return
  const first = await insertTrials(tx, { ...trials, productIds, createdAt: now })
  if (first.length < productIds.length) throw trialUsed()
  const { tenantId, reference } = trials
  for (const productId of productIds.sort()) {
    const trial = { tenantId, productId, reference }
    if (!(await markTrial(tx, { ...trial, identities }, secrets, now))) throw trialUsed()
  }
}

/**
 * Records the identities of a person who tries a product. False if another trial of the product has one
 * of them; some of the new ones may then be recorded, and the caller refuses the trial.
 */
export async function markTrial(
  tx: Tx,
  trial: Pick<TrialRow, 'tenantId' | 'productId' | 'reference'> & {
    readonly identities: readonly Identity[]
  },
  secrets: Secrets,
  now: Instant,
): Promise<boolean> {
  const { identities, ...row } = trial
  if (identities.length === 0) return true
  const key = await trialKeyOf(tx, secrets, row.tenantId)
  const marks = [...new Set(identities.map((it) => markOf(key, it)))].sort()
  const { rememberTrialsMonths } = await settingsOf(tx, row.tenantId, storeSettings)
  const forgetAt = boundary(now, { interval: 'month', intervalCount: rememberTrialsMonths }, 1)
  await insertMarks(tx, { ...row, createdAt: now, forgetAt }, marks)
  const references = await listReferencesOfMarks(tx, row, marks)
  return references.every((it) => it === row.reference)
}

/** Records the new address of a person who tried products, for all products that they tried. */
export async function markAddress(
  tx: Tx,
  { tenantId, userId, email }: UserKey & { email: string },
  secrets: Secrets,
  now: Instant,
): Promise<void> {
  const identities = [addressIdentity(email)]
  for (const trial of await listOwnTrials(tx, { tenantId, userId })) {
    await markTrial(tx, { ...trial, identities }, secrets, now)
  }
}

export function addressIdentity(email: string): Identity {
  return { kind: 'address', value: mailboxOf(email) }
}

/** Deletes the trials of an order that failed. Safe to repeat. */
export async function forgetTrials(
  tx: Tx,
  order: Pick<TrialRow, 'tenantId' | 'reference'>,
): Promise<void> {
  await deleteTrials(tx, order)
}

function trialUsed() {
  const message =
    'You have already tried this product. Set `trial` to false on its cart item to buy it without a trial.'
  return unprocessable(message, 'trial_used')
}
