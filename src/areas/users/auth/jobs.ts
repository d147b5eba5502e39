import { Type } from 'typebox'
import { Email, Id, OneOf } from '#lib/schema.ts'
import { job } from '#platform/jobs.ts'
import { findUserByEmail } from '../queries.ts'
import { requestLink } from './links.ts'

/**
 * Sends a link to an address, if somebody has it. It is a job so that the request for it takes the
 * same time, and does the same, whether there is such an account or not.
 */
export const sendLink = job(
  'users.send-link',
  Type.Object({ tenantId: Id, email: Email, purpose: OneOf(['verify', 'reset']) }),
  async ({ db, secrets, transact, now }, { tenantId, email, purpose }) => {
    const user = await findUserByEmail(db, { tenantId, email })
    if (!user || user.deletedAt || user.suspendedAt) return
    if (purpose === 'verify' && user.emailVerifiedAt) return
    const to = purpose === 'verify' ? (user.pendingEmail ?? user.email) : user.email
    await transact((tx) => requestLink(tx, secrets, { user, purpose, email: to }, now))
  },
)
