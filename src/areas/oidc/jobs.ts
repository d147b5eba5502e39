import { HOUR_MS } from '#lib/time.ts'
import { notify } from '#notifications'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { passwordChanged, userSuspended } from '#users'
import { findClient } from './clients/queries.ts'
import { refreshTokenReused } from './events.ts'
import {
  deleteEndedArtifacts,
  deleteEndedGrants,
  deleteEndedNotes,
  deleteSignIns,
} from './provider/queries.ts'

const BATCH = 500
const SECURITY = '/account/security'

/**
 * A person who knew the old password may be signed in somewhere: every application has to ask again. What
 * depends on a session ends with it at once; this also ends what has outlived its session.
 */
export const endOnPasswordChange = onEvent(
  passwordChanged,
  'oidc.end-on-password-change',
  ({ transact }, user) => transact((tx) => deleteSignIns(tx, user)),
)

/** A suspended person's sign-ins are invalid from the time of the suspension; this also deletes them. */
export const endOnSuspension = onEvent(
  userSuspended,
  'oidc.end-on-suspension',
  ({ transact }, user) => transact((tx) => deleteSignIns(tx, user)),
)

/** Notifies a person that a token of an application was used twice, and that its sign-in has ended. */
export const tellOfReuse = onEvent(
  refreshTokenReused,
  'oidc.tell-of-reuse',
  async ({ db, now, transact }, { tenantId, userId, clientId }) => {
    const client = await findClient(db, { tenantId, id: clientId })
    if (!client) return
    const data = { application: client.name }
    const notice = { tenantId, userId, kind: 'application_stolen' as const, data, link: SECURITY }
    await transact((tx) => notify(tx, notice, now))
  },
)

/** Deletes sessions, codes, tokens and grants that have ended. */
export const forgetEndedSignIns = schedule(
  'oidc.forget-ended-sign-ins',
  HOUR_MS,
  async ({ now, transact }) => {
    for (const forget of [deleteEndedArtifacts, deleteEndedGrants, deleteEndedNotes]) {
      let count = BATCH
      while (count === BATCH) count = await transact((tx) => forget(tx, now, BATCH))
    }
  },
)
