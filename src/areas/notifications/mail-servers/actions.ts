import { newId } from '#lib/id.ts'
import { badRequest, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import { notifyAdmins } from '../actions.ts'
import {
  deleteMailServer,
  lockMailServer,
  type MailServerRow,
  putMailServer,
  updateCheck,
} from './queries.ts'
import type { NewMailServer } from './schema.ts'

/** The row that a sealed password is bound to: moved to another row, it cannot be opened. */
export function boundTo({ tenantId }: Pick<MailServerRow, 'tenantId'>): string {
  return `notifications.mail_servers ${tenantId}`
}

export const sealedMailPasswords = sealedColumn(
  'notifications.mail_servers',
  'sealedPassword',
  ['tenantId'],
  boundTo,
)

/**
 * Stores the mail server of a tenant; the result of earlier attempts is deleted. Throws 400 for a sign-in
 * that is incomplete or would be sent without encryption, and if the password would go to another server.
 */
export async function setMailServer(
  tx: Tx,
  secrets: Secrets,
  { tenantId, ...wanted }: NewMailServer & { tenantId: string },
  now: Instant,
): Promise<MailServerRow> {
  const before = await lockMailServer(tx, tenantId)
  const { port, security, username = null, password } = wanted
  const host = wanted.host.toLowerCase()
  if (username === null && password !== undefined) {
    throw refused('username', 'is required with a password')
  }
  if (username !== null && security === 'none') {
    throw refused('security', 'must be `tls` or `starttls` with a user name')
  }
  const isSame = before?.host === host && before.port === port && before.username === username
  if (username !== null && password === undefined && !isSame) {
    throw refused('password', 'is required for another server or user')
  }
  const sealed =
    password === undefined
      ? (before?.sealedPassword ?? null)
      : secrets.seal(password, boundTo({ tenantId }))
  return putMailServer(tx, {
    ...{ tenantId, host, port, security, username },
    sealedPassword: username === null ? null : sealed,
    edition: newId(),
    ...{ checkedAt: null, fault: null, failingSince: null, updatedAt: now },
  })
}

function refused(path: string, message: string) {
  return badRequest('The mail server is not complete.', [{ path, message }])
}

/** Removes the mail server of a tenant. 404 if it has none. */
export async function removeMailServer(tx: Tx, tenantId: string): Promise<void> {
  if (!(await lockMailServer(tx, tenantId))) throw notFound('Mail server')
  await deleteMailServer(tx, tenantId)
}

/**
 * Stores the result of an attempt with the mail server of a tenant: null if it worked. Staff are notified of the
 * first failure. Without effect if the settings have changed since.
 */
export async function recordMailAttempt(
  tx: Tx,
  { tenantId, edition }: Pick<MailServerRow, 'tenantId' | 'edition'>,
  fault: string | null,
  now: Instant,
): Promise<void> {
  const row = await lockMailServer(tx, tenantId)
  if (row?.edition !== edition) return
  const failingSince = fault === null ? null : (row.failingSince ?? now)
  await updateCheck(tx, tenantId, { checkedAt: now, fault, failingSince })
  if (fault === null || row.fault !== null) return
  const facts = { host: row.host, answer: fault }
  const link = '/admin/mails/server'
  await notifyAdmins(tx, { tenantId, topic: 'mail_server_failing', facts, link }, now)
}
