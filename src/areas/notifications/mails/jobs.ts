import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { job, schedule } from '#platform/jobs.ts'
import { listTenantIds, settingsOf } from '#tenants'
import { emailConfirmed, findUser } from '#users'
import { recordMailAttempt } from '../mail-servers/actions.ts'
import { findMailServer } from '../mail-servers/queries.ts'
import { isServerFault, type Route, routeFor, sendOver } from '../mail-servers/transport.ts'
import { sendMail } from '../work.ts'
import { recordUndeliverable } from './bounces.ts'
import {
  deleteMailsBefore,
  emptyEndedLinks,
  findMail,
  type MailRow,
  markFailed,
  markSent,
  unmarkUndeliverable,
} from './queries.ts'
import { envelopeFor } from './rendering.ts'
import { verdictOf } from './rules.ts'
import { mailSettings } from './settings.ts'

const FORGOTTEN_AT_ONCE = 1000

/**
 * Sends one mail; without a mail server the mail stays stored. Once the sending is recorded, a repeated job sends
 * nothing; if the mail server's answer was lost, the mail is sent again with the same id.
 */
export const sendMailJob = job(
  sendMail,
  async (context: JobContext, key) => {
    const { config, clock, transact } = context
    const mail = await findMail(context.db, key)
    if (!mail || mail.sentAt || mail.failedAt || mail.suppressedAt) return
    const own = await findMailServer(context.db, key.tenantId)
    const route = routeFor({ own, smtpUrl: config.smtpUrl }, context.now)
    if (!route) return
    const envelope = await envelopeFor(context, mail)
    try {
      await sendOver(context, route, envelope)
    } catch (error) {
      return noteFailure(context, mail, { error, route })
    }
    await transact(async (tx) => {
      await markSent(tx, mail, clock.now())
      if (route.server === 'own' && (route.row.fault !== null || route.row.checkedAt === null)) {
        await recordMailAttempt(tx, route.row, null, clock.now())
      }
    })
  },
  // For more than a day: a mail server may be down that long.
  { concurrency: 4, retrySeconds: 10, retries: 36 },
)

/** Records the failure, and throws it again if the mail should be retried. */
async function noteFailure(
  { log, now, lastTry, transact }: JobContext,
  mail: MailRow,
  { error, route }: { error: unknown; route: Route },
): Promise<void> {
  const { reason: failure, lasting, unknownAddress } = verdictOf(error)
  await transact(async (tx) => {
    if (unknownAddress) {
      await markFailed(tx, mail, { failure, suppressedAt: now })
      await recordUndeliverable(tx, mail, failure, now)
    } else {
      const failedAt = lasting || lastTry ? now : null
      await markFailed(tx, mail, { failure, failedAt, refusedAt: lasting ? now : null })
      if (route.server === 'own' && isServerFault(error)) {
        await recordMailAttempt(tx, route.row, failure, now)
      }
    }
  })
  if (!lasting) throw error
  log.warn({ mailId: mail.id, kind: mail.kind }, 'a mail was refused for good')
}

/** A person who has just followed a link in a mail proves that the address exists. */
export const addressExists = onEvent(
  emailConfirmed,
  'notifications.address-exists',
  async ({ db, transact }, { tenantId, userId }) => {
    const user = await findUser(db, { tenantId, userId })
    if (!user) return
    await transact((tx) => unmarkUndeliverable(tx, { tenantId, address: user.email }))
  },
)

/** Deletes the text of mails whose link has ended, and the mails that are older than the shop keeps them. */
export const forgetMailsOfOld = schedule('notifications.forget-mails', HOUR_MS, async (context) => {
  const { database, now } = context
  await bitByBit(() => context.transact((tx) => emptyEndedLinks(tx, now, FORGOTTEN_AT_ONCE)))
  for (const tenantId of await listTenantIds(database.everywhere)) {
    const db = database.of(tenantId)
    const { keepMailDays } = await settingsOf(db, tenantId, mailSettings)
    const before = later(now, -keepMailDays * DAY_MS)
    await bitByBit(() =>
      transact(db, (tx) => deleteMailsBefore(tx, { tenantId, before }, FORGOTTEN_AT_ONCE)),
    )
  }
})

async function bitByBit(work: () => Promise<number>): Promise<void> {
  while ((await work()) === FORGOTTEN_AT_ONCE);
}
