import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { findUser } from '#users'
import { deleteAllWishes, listOwnWishes } from './preferences/queries.ts'
import { listEverythingTold } from './queries.ts'

const EXPORTED = 10_000

/** A person's notifications, in the panel and by mail. */
export function personalData(db: Db, user: UserKey) {
  return {
    notifications: async () => {
      const notices = await listEverythingTold(db, user, EXPORTED)
      // A link may give access by itself, like an invitation's: it does not belong in an export.
      return notices.map(({ link: _, ...notice }) => notice)
    },
    notificationPreferences: () => listOwnWishes(db, user),
    mails: async () => {
      const person = await findUser(db, user)
      return person ? listMailsTo(db, user.tenantId, person.email) : []
    },
  }
}

/** The mails to an address: never their text, which may contain a link that gives access. */
function listMailsTo(db: Db, tenantId: string, recipient: string) {
  return db
    .selectFrom('notifications.mails')
    .select(['id', 'kind', 'subject', 'createdAt', 'sentAt'])
    .where('tenantId', '=', tenantId)
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .limit(EXPORTED)
    .execute()
}

/** Deletes a person's notifications and mails, also mails to their earlier addresses. */
export async function erase(tx: Tx, { tenantId, userId, emails }: Leaving): Promise<void> {
  const notices = tx
    .selectFrom('notifications.notifications')
    .select(({ cast }) => cast<string>('id', 'text').as('id'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  await tx
    .deleteFrom('notifications.mails')
    .where('tenantId', '=', tenantId)
    .where((it) =>
      it.or([
        it('recipient', 'in', emails),
        it('userId', '=', userId),
        it('reference', 'in', notices),
      ]),
    )
    .execute()
  await tx
    .deleteFrom('notifications.undeliverable_addresses')
    .where('tenantId', '=', tenantId)
    .where('address', 'in', emails)
    .execute()
  await deleteAllWishes(tx, { tenantId, userId })
  await tx
    .deleteFrom('notifications.notifications')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Deletes mails by their references, whatever the recipient. */
export async function forgetMails(
  tx: Tx,
  { tenantId, references }: { tenantId: string; references: readonly string[] },
): Promise<void> {
  if (references.length === 0) return
  await tx
    .deleteFrom('notifications.mails')
    .where('tenantId', '=', tenantId)
    .where('reference', 'in', references)
    .execute()
}
