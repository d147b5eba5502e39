import type { GatewayOffer } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/index.ts'
import { sellerOf } from '#tenants'
import { driverOf } from './connection.ts'
import { type GatewayRow, listUsableGateways } from './queries.ts'

/** What customers can pay with, in the host's order, with what a front end needs to know. */
export async function gatewayOffers(
  db: Db,
  tenantId: string,
  config: Config,
): Promise<GatewayOffer[]> {
  const rows = await listUsableGateways(db, tenantId)
  const { currency } = await sellerOf(db, tenantId)
  return rows.flatMap((row) => offerOf(config, row, currency) ?? [])
}

function offerOf(
  config: Config,
  { id, name, driver: driverName, settings }: GatewayRow,
  currency: string,
): GatewayOffer | null {
  const capabilities = driverOf(config, driverName)?.capabilities
  if (!capabilities) return null
  const { checkout, icon, saveMethod, portal, currencies, minAmount } = capabilities
  const { publishableKey } = settings
  return {
    ...{ id, name, driver: driverName, checkout, icon, saveMethod, portal },
    currencies: currencies === 'any' ? null : [...currencies],
    minimumCents: minAmount?.(currency) ?? 1,
    publishableKey: typeof publishableKey === 'string' ? publishableKey : null,
  }
}
