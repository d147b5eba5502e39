import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { Email, Id, OneOf } from '#lib/schema.ts'
import { job } from '#platform/jobs.ts'
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
