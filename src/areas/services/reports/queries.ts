import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'

/** The panel connection of each of these servers that belongs to a service. */
export async function placesOf(
  db: Db,
  tenantId: string,
  serverUuids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db
    .selectFrom('services.services')
    .select(['serverUuid', 'nodeId'])
    .where('tenantId', '=', tenantId)
    .where('serverUuid', '=', sql<string>`any(${[...serverUuids]}::text[])`)
    .execute()
  return new Map(
    rows.flatMap(({ serverUuid, nodeId }) => (serverUuid ? [[serverUuid, nodeId]] : [])),
  )
}

type Server = { tenantId: string; nodeId: string; serverUuid: string }

/** The service of a server. */
export function findServiceOfServer(db: Db, { tenantId, nodeId, serverUuid }: Server) {
  return db
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serverUuid', '=', serverUuid)
    .where('nodeId', '=', nodeId)
    .executeTakeFirst()
}

/**
 * A user that we added to a server on its panel, with their permissions in our database; null
 * permissions if the service is no longer shared with them. Undefined for a user that we did not add.
 */
export function findMemberOnPanel(
  db: Db,
  { tenantId, serviceId, panelUser }: { tenantId: string; serviceId: string; panelUser: string },
) {
  return db
    .selectFrom('services.panel_subusers as own')
    .leftJoin('services.members as member', (join) =>
      join
        .onRef('member.tenantId', '=', 'own.tenantId')
        .onRef('member.userId', '=', 'own.userId')
        .onRef('member.serviceId', '=', 'own.serviceId'),
    )
    .select('member.permissions')
    .where('own.tenantId', '=', tenantId)
    .where('own.serviceId', '=', serviceId)
    .where('own.subuserUuid', '=', panelUser)
    .executeTakeFirst()
}

/** Makes the next look at an installation due now; returns false if none is being watched. */
export async function hurryProvisioning(
  tx: Tx,
  { tenantId, serviceId, now }: { tenantId: string; serviceId: string; now: Instant },
): Promise<boolean> {
  const hurried = await tx
    .updateTable('services.provisioning')
    .set({ nextAt: now })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', serviceId)
    .where('doneAt', 'is', null)
    .where('watchedSince', 'is not', null)
    .returning('serviceId')
    .executeTakeFirst()
  return hurried !== undefined
}

/** The servers a person has or had, and their user ids on panels for servers shared with them. */
export async function ofPerson(db: Db, { tenantId, userId }: UserKey) {
  const servers = await db
    .selectFrom('services.services')
    .select('serverUuid')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('serverUuid', 'is not', null)
    .execute()
  const subusers = await db
    .selectFrom('services.panel_subusers')
    .select('subuserUuid')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('subuserUuid', 'is not', null)
    .execute()
  return {
    tenantId,
    serverUuids: servers.flatMap(({ serverUuid }) => serverUuid ?? []),
    panelUsers: [...new Set(subusers.flatMap(({ subuserUuid }) => subuserUuid ?? []))],
  }
}

/** Which users of the panels are members of a person's own services. */
export async function othersOnServersOf(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('services.panel_subusers as own')
    .innerJoin('services.services as service', (join) =>
      join.onRef('service.tenantId', '=', 'own.tenantId').onRef('service.id', '=', 'own.serviceId'),
    )
    .select('own.subuserUuid')
    .where('own.tenantId', '=', tenantId)
    .where('service.userId', '=', userId)
    .where('own.subuserUuid', 'is not', null)
    .execute()
  return new Set(rows.flatMap(({ subuserUuid }) => subuserUuid ?? []))
}
