import type { Static, TSchema } from 'typebox'
import type { UserKey } from '#platform/area.ts'
import type { JobContext } from '#platform/deps.ts'
import { type EventType, onEvent } from '#platform/events.ts'
import type { Job } from '#platform/jobs.ts'
import {
  accountConnected,
  accountDisconnected,
  emailChanged,
  emailChangeRequested,
  findUser,
  passkeyCopied,
  passwordChanged,
  recoveryCodesMade,
  recoveryCodeUsed,
  refreshTokenReused,
  registrationAttempted,
  secondFactorAdded,
  secondFactorRemoved,
} from '#users'
import { notify } from './actions.ts'
import { mailLink } from './mails/actions.ts'
import type { Facts, Kind } from './texts/kinds.ts'

const LINK = '/account/security'

/** Notifies a person, in the panel and by mail, about a change of how they sign in. */
function tellOf<P extends TSchema, K extends Kind>(
  event: EventType<P>,
  kind: K,
  dataOf: (payload: Static<P>) => Facts[K],
): Job {
  const name = `notifications.tell-${event.name.replace('.', '-')}`
  return onEvent(event, name, async ({ now, transact }: JobContext, payload) => {
    const { tenantId, userId } = payload as UserKey
    const notice = { tenantId, userId, kind, data: dataOf(payload), link: LINK }
    await transact((tx) => notify(tx, notice, now))
  })
}

/** Notifies the present address before another one replaces it. */
const tellOldAddressBefore = onEvent(
  emailChangeRequested,
  'notifications.tell-old-address-before',
  async ({ now, transact }, { tenantId, changeId, email, newEmail, name, locale }) => {
    const reference = `address-wanted ${changeId}`
    const to = { tenantId, to: email, name, locale, reference }
    const mail = { kind: 'email_change_requested' as const, facts: { newEmail } }
    await transact((tx) => mailLink(tx, to, mail, now))
  },
)

/** Notifies the address that was replaced, and names the new one. */
const tellOldAddressAfter = onEvent(
  emailChanged,
  'notifications.tell-old-address-after',
  async ({ db, now, transact }, { tenantId, userId, changeId, oldEmail, email: newEmail }) => {
    const user = await findUser(db, { tenantId, userId })
    if (!user || user.deletedAt) return
    const { name, locale } = user
    const to = { tenantId, to: oldEmail, name, locale, reference: `address-changed ${changeId}` }
    await transact((tx) => mailLink(tx, to, { kind: 'email_changed', facts: { newEmail } }, now))
  },
)

/** The notifications about the security of an account. */
export const securityJobs: readonly Job[] = [
  tellOf(passwordChanged, 'password_changed', () => ({})),
  tellOf(registrationAttempted, 'registration_attempted', () => ({})),
  tellOf(refreshTokenReused, 'session_stolen', () => ({})),
  tellOf(secondFactorAdded, 'second_factor_added', ({ factor }) => ({ factor })),
  tellOf(secondFactorRemoved, 'second_factor_removed', ({ factor }) => ({ factor })),
  tellOf(recoveryCodesMade, 'recovery_codes_made', () => ({})),
  tellOf(recoveryCodeUsed, 'recovery_code_used', ({ left }) => ({ left })),
  tellOf(passkeyCopied, 'passkey_copied', ({ name }) => ({ name })),
  tellOf(accountConnected, 'account_connected', ({ provider, name }) => ({ provider, name })),
  tellOf(accountDisconnected, 'account_disconnected', ({ provider, name }) => ({ provider, name })),
  tellOldAddressBefore,
  tellOldAddressAfter,
]
