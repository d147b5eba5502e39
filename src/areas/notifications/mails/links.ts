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

type Requested = Static<typeof emailVerificationRequested.payload>

/** Sends the link that confirms an address. */
export const mailVerification = onEvent(
  emailVerificationRequested,
  'notifications.mail-verification',
  (context, requested) => send(context, requested, { kind: 'verify_email', path: 'verify' }),
  { concurrency: 4 },
)

/** Sends the link with which a person chooses a new password. */
export const mailPasswordReset = onEvent(
  passwordResetRequested,
  'notifications.mail-password-reset',
  (context, requested) => send(context, requested, { kind: 'reset_password', path: 'reset' }),
  { concurrency: 4 },
)

async function send(
  { db, config, secrets, now, transact }: JobContext,
  requested: Requested,
  { kind, path }: { kind: Extract<MailKind, 'verify_email' | 'reset_password'>; path: string },
): Promise<void> {
  const { tenantId, userId, emailTokenId, email, name, locale } = requested
  const purpose = kind === 'verify_email' ? 'verify' : 'reset'
  const token = openMailedToken(secrets, requested)
  const url = `${await originOf(db, config, tenantId)}/${path}/${token}`
  const to = {
    ...{ tenantId, userId, to: email, name, locale, reference: `link ${emailTokenId}` },
    usefulUntil: later(now, MAILED_TOKEN_MS[purpose]),
  }
  await transact((tx) => mailLink(tx, to, { kind, facts: { url } }, now))
}
