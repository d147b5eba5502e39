import type { Static } from 'typebox'
import { later } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { originOf } from '#tenants'
import {
  emailVerificationRequested,
  MAILED_TOKEN_MS,
  openMailedToken,
  passwordResetRequested,
} from '#users'
import type { MailKind } from '../texts/kinds.ts'
import { mailLink } from './actions.ts'

/** How long the link in each kind of mail is valid. */
const LIFETIMES = {
  verify_email: MAILED_TOKEN_MS.verify,
  reset_password: MAILED_TOKEN_MS.reset,
  account_created: MAILED_TOKEN_MS.welcome,
} as const satisfies { [K in MailKind]?: number }

type Requested = Static<typeof emailVerificationRequested.payload>

/** Sends the link that confirms an address. */
export const mailVerification = onEvent(
  emailVerificationRequested,
  'notifications.mail-verification',
  (context, requested) => send(context, requested, { kind: 'verify_email', path: 'verify' }),
  { concurrency: 4 },
)

/** Sends the link with which a person chooses a new password, or the first one of an account. */
export const mailPasswordReset = onEvent(
  passwordResetRequested,
  'notifications.mail-password-reset',
  (context, requested) => {
    const kind = requested.isWelcome ? 'account_created' : 'reset_password'
    return send(context, requested, { kind, path: 'reset' })
  },
  { concurrency: 4 },
)

async function send(
  { db, config, secrets, now, transact }: JobContext,
  requested: Requested,
  { kind, path }: { kind: keyof typeof LIFETIMES; path: string },
): Promise<void> {
  const { tenantId, userId, emailTokenId, email, name, locale } = requested
  const token = openMailedToken(secrets, requested)
  const url = `${await originOf(db, config, tenantId)}/${path}/${token}`
  const to = {
    ...{ tenantId, userId, to: email, name, locale, reference: `link ${emailTokenId}` },
    usefulUntil: later(now, LIFETIMES[kind]),
  }
  await transact((tx) => mailLink(tx, to, { kind, facts: { url } }, now))
}
