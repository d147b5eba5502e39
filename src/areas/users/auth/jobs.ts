import { setTimeout } from 'node:timers/promises'
import { job } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import { isWithin } from '../allowances/actions.ts'
import { boundTo, isComparable } from '../imported/legacy.ts'
import { findLegacyPassword } from '../imported/queries.ts'
import { findUserByEmail } from '../queries.ts'
import { offerReset, sendLink } from '../work.ts'
import { requestLink } from './links.ts'

/** Longer than it takes to send the answer to the request for the link. */
export const ANSWERED_MS = 50

/**
 * Sends a link to an address, if there is an account with it. It is a job so that the request for it takes
 * the same time, and does the same, whether there is such an account or not.
 */
export const sendLinkJob = job(
  sendLink,
  async ({ db, secrets, transact, now }, { tenantId, email, purpose }) => {
    // On the single connection of the embedded database this work would delay the answer to the request.
    await setTimeout(ANSWERED_MS)
    const user = await findUserByEmail(db, { tenantId, email })
    if (!user || user.deletedAt || user.suspendedAt) return
    if (purpose === 'verify' && user.emailVerifiedAt) return
    const to = purpose === 'verify' ? (user.pendingEmail ?? user.email) : user.email
    await transact((tx) => requestLink(tx, secrets, { user, purpose, email: to }, now))
  },
  { concurrency: 4 },
)

/** One mail a day is enough for a person who tries the password they had in another system. */
const DAILY = 1

/**
 * Sends a link that sets a new password to an imported person whose former password cannot be compared, once
 * a day at most. It is queued with every failed sign-in of a shop that has imported people.
 */
export const offerResetJob = job(
  offerReset,
  async ({ db, secrets, transact, now }, { tenantId, email }) => {
    const user = await findUserByEmail(db, { tenantId, email })
    if (!user || user.passwordHash || user.deletedAt || user.suspendedAt) return
    const former = await findLegacyPassword(db, { tenantId, userId: user.id })
    if (!former || isCompared(secrets, former)) return
    const mails = { tenantId, kind: 'former-password-mails', subject: user.id } as const
    await transact(async (tx) => {
      if (!(await isWithin(tx, mails, DAILY, now))) return
      await requestLink(tx, secrets, { user, purpose: 'reset', email: user.email }, now)
    })
  },
  { concurrency: 2 },
)

type Former = NonNullable<Awaited<ReturnType<typeof findLegacyPassword>>>

function isCompared(secrets: Secrets, { sealedHash, form, ...key }: Former): boolean {
  return sealedHash !== null && isComparable({ form, hash: secrets.open(sealedHash, boundTo(key)) })
}
