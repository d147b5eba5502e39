import type { Instant } from '#lib/time.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type GatewayRow = Row<'billing.gateways'>
export type GatewayKey = { tenantId: string; gatewayId: string }

/** A gateway; archived ones too, because their payments continue. */
export function findGateway(db: Db, { tenantId, gatewayId }: GatewayKey) {
  return db
    .selectFrom('billing.gateways')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', gatewayId)
    .executeTakeFirst()
}

/** A gateway that was not archived. */
export async function findKeptGateway(db: Db, key: GatewayKey) {
  const row = await findGateway(db, key)
  return row && row.archivedAt === null ? row : undefined
}

/** A gateway of any tenant: a provider that calls knows its id and nothing else. */
export function findGatewayAnywhere(db: Db, gatewayId: string) {
  return gatewayAnywhere(db, { gatewayId })
}

const gatewayAnywhere = compiledFirst((db, { gatewayId }: { gatewayId: string }) =>
  db.selectFrom('billing.gateways').selectAll().where('id', '=', gatewayId),
)

export function lockGateway(tx: Tx, { tenantId, gatewayId }: GatewayKey) {
  return tx
    .selectFrom('billing.gateways')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', gatewayId)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function listGateways(db: Db, tenantId: string, page: PageQuery) {
  const query = db
    .selectFrom('billing.gateways')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
  return pageOf(query, page)
}

/** Enabled gateways that are known to work, in the host's order: what customers can pay with. */
export function listUsableGateways(db: Db, tenantId: string) {
  return db
    .selectFrom('billing.gateways')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
    .where('enabled', '=', true)
    .where('fault', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Whether the shop simulates payments: one of its enabled gateways is in test mode. */
export async function simulatesPayments(db: Db, tenantId: string): Promise<boolean> {
  return (await enabledTestGateway(db, { tenantId })) !== undefined
}

const enabledTestGateway = compiledFirst((db, { tenantId }: { tenantId: string }) =>
  db
    .selectFrom('billing.gateways')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('archivedAt', 'is', null)
    .where('enabled', '=', true)
    .where('mode', '=', 'test')
    .limit(1),
)

/** Every gateway of every tenant whose provider may be asked for events. */
export function listEnabledGateways(db: Db) {
  return db
    .selectFrom('billing.gateways')
    .select(['tenantId', 'id', 'driver'])
    .where('archivedAt', 'is', null)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
}

type Values = {
  name: string
  enabled: boolean
  position: number
  settings: Record<string, unknown>
  sealedSecrets: string | null
  secretHints: Record<string, string>
  accountId: string | null
  webhookEndpointId: string | null
  checkedAt: Instant | null
  fault: string | null
  changesReadTo: Instant | null
  comparedAt: Instant | null
  archivedAt: Instant | null
}

type NewGateway = Pick<GatewayRow, 'tenantId' | 'id' | 'driver' | 'mode' | 'createdAt'> &
  Partial<Values> &
  Pick<Values, 'name' | 'settings' | 'secretHints'>

export function insertGateway(tx: Tx, { settings, secretHints, ...row }: NewGateway) {
  return tx
    .insertInto('billing.gateways')
    .values({ ...row, settings: json(settings), secretHints: json(secretHints) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateGateway(
  tx: Tx,
  { tenantId, gatewayId }: GatewayKey,
  { settings, secretHints, ...values }: Partial<Values>,
) {
  return tx
    .updateTable('billing.gateways')
    .set({
      ...values,
      ...(settings && { settings: json(settings) }),
      ...(secretHints && { secretHints: json(secretHints) }),
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', gatewayId)
    .returningAll()
    .executeTakeFirst()
}
