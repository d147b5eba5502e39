import { sql } from 'kysely'
import type { Leaving, UserKey } from '#platform/area.ts'
import { type Db, json, type Tx } from '#platform/database/index.ts'

export async function hasLivingService(db: Db, { tenantId, userId }: UserKey): Promise<boolean> {
  const row = await db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    // Hours that were used and could not be invoiced yet also keep the account.
    .where((it) =>
      it.or([
        it('endedAt', 'is', null),
        it.and([it('nextInvoiceAt', 'is not', null), it('endWantedAt', 'is not', null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The invitations a user sent, with how often each was sent. */
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

/** Removes a person from services that are shared with them. */
export async function deleteMemberships(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('services.members')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('role', '=', 'member')
    .execute()
}

/** Deletes what a person typed for their services, and the messages of panels about these. */
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
    .deleteFrom('services.provisioning_attempts')
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
  await tx
    .updateTable('services.startup_changes')
    .set({ environment: json({}), lastError: null })
    .where('tenantId', '=', tenantId)
    .where('serviceId', 'in', own)
    .execute()
  await tx
    .updateTable('services.services')
    .set({ name: 'Deleted service', environment: json({}), failureMessage: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  await forgetTypedOptions(tx, { tenantId, userId })
}

/** Removes what a person typed as an option from their services, periods and changes; what each cost stays. */
async function forgetTypedOptions(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  const own = sql`(select id from services.services where tenant_id = ${tenantId} and user_id = ${userId})`
  for (const [table, column] of TYPED) {
    const components = sql.ref(column)
    const untyped = sql`(select jsonb_agg(
        case when part ->> 'text' is null then part else part || '{"text": null, "label": ""}' end order by place)
      from jsonb_array_elements(${components}) with ordinality as parts (part, place))`
    const service = sql.ref(table === 'services.services' ? 'id' : 'service_id')
    await sql`update ${sql.table(table)} set ${components} = ${untyped}
      where tenant_id = ${tenantId} and ${service} in ${own}
        and ${components} @? '$[*].text ? (@ != null)'`.execute(tx)
  }
  // What was scheduled for the next period is canceled.
  await sql`update services.services set scheduled_options = null
    where tenant_id = ${tenantId} and user_id = ${userId} and scheduled_options is not null`.execute(
    tx,
  )
}

/** The columns with components of services, including texts that were typed. */
const TYPED = [
  ['services.services', 'components'],
  ['services.periods', 'components'],
  ['services.upgrades', 'components'],
  ['services.upgrades', 'components_before'],
] as const

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

/** The ids of a person's own services, ended ones too. */
export async function listServiceIdsOf(db: Db, { tenantId, userId }: UserKey): Promise<string[]> {
  const rows = await db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The panels a person has an account on. */
export function listPanelsOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.panel_accounts')
    .select('nodeId')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

export async function deletePanelAccount(
  tx: Tx,
  { tenantId, userId, nodeId }: UserKey & { nodeId: string },
): Promise<void> {
  await tx
    .deleteFrom('services.panel_accounts')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('userId', '=', userId)
    .execute()
}

/**
 * Deletes the address with which a person was added to others' servers, if the panel's own id is stored to find them.
 * Returns the services from which they still have to be removed on the panel.
 */
export async function forgetSubuser(
  tx: Tx,
  { tenantId, userId }: UserKey,
  email: string,
): Promise<string[]> {
  const rows = await tx
    .updateTable('services.panel_subusers')
    .set({ email: sql<string>`case when subuser_uuid is null then email else ${email} end` })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .returning('serviceId')
    .execute()
  return rows.map(({ serviceId }) => serviceId)
}
