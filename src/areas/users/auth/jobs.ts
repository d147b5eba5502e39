import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { Email, Id, OneOf } from '#lib/schema.ts'
import { job } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import { isWithin } from '../allowances/actions.ts'
import { boundTo, isComparable } from '../imported/legacy.ts'
import { findLegacyPassword } from '../imported/queries.ts'
import { findUserByEmail } from '../queries.ts'
import { requestLink } from './links.ts'

/** Longer than the answer to the request that wants the link takes to leave. */
const ANSWERED_MS = 50

/**
 * Sends a link to an address, if somebody has it. It is a job so that the request for it takes the
 * same time, and does the same, whether there is such an account or not.
 */
export const sendLink = job(
  'users.send-link',
  Type.Object({ tenantId: Id, email: Email, purpose: OneOf(['verify', 'reset']) }),
  async ({ db, secrets, transact, now }, { tenantId, email, purpose }) => {
    // On the one connection of the embedded database this work would delay that answer.
    await setTimeout(ANSWERED_MS)
    const user = await findUserByEmail(db, { tenantId, email })
    if (!user || user.deletedAt || user.suspendedAt) return
    if (purpose === 'verify' && user.emailVerifiedAt) return
    const to = purpose === 'verify' ? (user.pendingEmail ?? user.email) : user.email
    await transact((tx) => requestLink(tx, secrets, { user, purpose, email: to }, now))
  },
  { concurrency: 4 },
)

/** One of these a day is enough for somebody who tries the password they had in another system. */
const DAILY = 1

/**
 * Sends a link that sets a new password to an imported person whose former password is not compared, once
 * a day at most. It is asked for with every failed sign-in of a shop that has such people.
 */
export const offerReset = job(
  'users.offer-reset',
  Type.Object({ tenantId: Id, email: Email }),
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
