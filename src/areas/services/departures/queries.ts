import type { Leaving, UserKey } from '#platform/area.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'

export async function hasLivingService(db: Db, { tenantId, userId }: UserKey): Promise<boolean> {
  const row = await db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The invitations somebody sent, with how often each went out. */
export function listInvitationsBy(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.invitations')
    .select(['id', 'sends'])
    .where('tenantId', '=', tenantId)
    .where('invitedBy', '=', userId)
    .execute()
}

/** Deletes the invitations a person sent, and those that were sent to them. */
export async function deleteInvitations(
  tx: Tx,
  { tenantId, userId, email }: Leaving,
): Promise<void> {
  await tx
    .deleteFrom('services.invitations')
    .where('tenantId', '=', tenantId)
    .where((it) =>
      it.or([it('invitedBy', '=', userId), it('email', '=', email), it('acceptedBy', '=', userId)]),
    )
    .execute()
}

/** Takes a person out of services that are shared with them. */
export async function deleteMemberships(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('services.members')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
    .execute()
}

/** Forgets what a person typed for their services, and what panels said about them. */
export async function forgetServiceDetails(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  const own = tx
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  await tx
    .updateTable('services.provisioning')
    .set({ lastError: null })
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
  await tx
    .updateTable('services.services')
    .set({ name: 'Deleted service', environment: json({}), failureMessage: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** A person's accounts on panels, for the export of their data. */
export function listPanelAccounts(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.panel_accounts as account')
    .innerJoin('panel.nodes as node', (join) =>
      join.onRef('node.tenantId', '=', 'account.tenantId').onRef('node.id', '=', 'account.nodeId'),
    )
    .select(['node.name as panel', 'account.externalId', 'account.remoteUserId'])
    .where('account.tenantId', '=', tenantId)
    .where('account.userId', '=', userId)
    .execute()
}
