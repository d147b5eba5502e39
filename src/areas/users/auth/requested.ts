import { setTimeout } from 'node:timers/promises'
import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue, job } from '#platform/jobs.ts'
import type { Secrets } from '#platform/secrets.ts'
import { findUserByEmail } from '../queries.ts'
import { isProven } from '../rules.ts'
import { openRequestedAccount } from '../work.ts'
import { announceAttempt, openAccount, type Registration, spendRegistration } from './actions.ts'
import { ANSWERED_MS } from './jobs.ts'
import { requestLink } from './links.ts'

type Wanted = Registration & { registrationState: string | null }

/**
 * Accepts a registration without looking the address up: a job creates the account, so that neither the answer
 * nor its time reveals whether the address is taken. Throws 429 if the network has reached its limit of
 * registrations. Taken addresses have no separate limit here: it would reveal which ones are taken.
 */
export async function acceptRegistration(
  tx: Tx,
  secrets: Secrets,
  { network, ...wanted }: Wanted,
  now: Instant,
): Promise<void> {
  const { tenantId } = wanted
  await spendRegistration(tx, secrets, { tenantId, network }, now)
  const email = wanted.email.toLowerCase()
  const userId = newId()
  const sealed = secrets.seal(JSON.stringify(wanted), boundTo(userId))
  await enqueue(tx, openRequestedAccount, { tenantId, email, userId, sealed })
}

/**
 * Opens the account of an accepted registration. If the address is taken, its owner is notified once a day at
 * most; if its account is still unconfirmed, the link is sent again.
 */
export const openRequestedAccountJob = job(
  openRequestedAccount,
  async ({ secrets, transact, now }, { tenantId, email, userId, sealed }) => {
    // On the single connection of the embedded database this work would delay the next request.
    await setTimeout(ANSWERED_MS)
    const wanted: Omit<Wanted, 'network'> = JSON.parse(secrets.open(sealed, boundTo(userId)))
    await transact(async (tx) => {
      if (await openAccount(tx, secrets, { ...wanted, id: userId }, now)) return
      const user = await findUserByEmail(tx, { tenantId, email })
      // An earlier run of this job has created it.
      if (!user || user.id === userId) return
      if (isProven(user)) return announceAttempt(tx, { tenantId, email }, now)
      await requestLink(tx, secrets, { user, purpose: 'verify', email }, now)
    })
  },
  { concurrency: 4 },
)

function boundTo(userId: string): string {
  return `users.users registration ${userId}`
}
