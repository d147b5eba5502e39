import { newId } from '#lib/id.ts'
import { badRequest, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { registerWebhook } from '../work.ts'
import { boundTo, type ConnectionDeps, connect, driverOf, secretsOf } from './connection.ts'
import type { AccountSnapshot, PaymentGateway } from './contract.ts'
import { GatewayError } from './error.ts'
import {
  type GatewayKey,
  type GatewayRow,
  insertGateway,
  lockGateway,
  updateGateway,
} from './queries.ts'
import { assertFits, assertMode, hintsOf, problemOf } from './rules.ts'
import type { GatewayChanges, NewGateway } from './schema.ts'

/** A gateway as it would be stored: checked against its driver's schemas. */
export function draftOf(
  deps: Deps,
  tenantId: string,
  { driver: name, settings = {}, secrets = {}, ...wanted }: NewGateway,
  now: Instant,
): GatewayRow {
  const driver = driverOf(deps.config, name)
  if (!driver) {
    throw badRequest('There is no such driver here.', [{ path: 'driver', message: 'is unknown' }])
  }
  assertMode(driver, wanted.mode)
  assertConfigured(driver, settings, secrets)
  const id = newId()
  return {
    ...{ tenantId, id, driver: name, name: wanted.name, mode: wanted.mode },
    ...{ enabled: wanted.enabled ?? false, position: wanted.position ?? 0, settings },
    sealedSecrets: seal(deps, { tenantId, id }, secrets),
    secretHints: hintsOf(secrets),
    ...{ accountId: null, webhookEndpointId: null, checkedAt: null, fault: null },
    ...{ changesReadTo: null, comparedAt: null, createdAt: now, archivedAt: null },
  }
}

/** A gateway as it would be after a change. */
export function changedOf(
  deps: Deps,
  row: GatewayRow,
  { secrets: given, ...changes }: GatewayChanges,
): GatewayRow {
  const driver = driverOf(deps.config, row.driver)
  const kept = given ? { ...secretsOf(deps, row), ...given } : null
  const secrets = kept && Object.fromEntries(Object.entries(kept).filter(([, value]) => value))
  const changed = { ...row, ...changes }
  if (driver) assertConfigured(driver, changed.settings, secrets ?? secretsOf(deps, row))
  if (!secrets) return changed
  return { ...changed, sealedSecrets: seal(deps, row, secrets), secretHints: hintsOf(secrets) }
}

/**
 * Asks the provider whose credentials these are. Throws 422 if it rejects them, 502 if it does not
 * answer.
 */
export async function verify(deps: ConnectionDeps, row: GatewayRow): Promise<AccountSnapshot> {
  const { driver, context } = await connect(deps, row)
  try {
    return await driver.verifyCredentials(context)
  } catch (error) {
    throw error instanceof GatewayError ? problemOf(error) : error
  }
}

/**
 * Adds a gateway. `account` is present if its credentials were verified; enabling requires that.
 */
export async function addGateway(
  tx: Tx,
  row: GatewayRow,
  account: AccountSnapshot | null,
  now: Instant,
): Promise<GatewayRow> {
  const checked = account ? { accountId: account.accountId, checkedAt: now } : {}
  const added = await insertGateway(tx, { ...row, ...checked })
  if (added.enabled) await wantWebhook(tx, added)
  return added
}

/** Writes a change of a gateway. Throws 404 if it was removed meanwhile. */
export async function changeGateway(
  tx: Tx,
  row: GatewayRow,
  account: AccountSnapshot | null,
  now: Instant,
): Promise<GatewayRow> {
  const key = { tenantId: row.tenantId, gatewayId: row.id }
  if (!(await lockGateway(tx, key))) throw notFound('Gateway')
  const { name, enabled, position, settings, sealedSecrets, secretHints } = row
  const changed = await updateGateway(tx, key, {
    ...{ name, enabled, position, settings, sealedSecrets, secretHints },
    ...(account && { accountId: account.accountId, checkedAt: now, fault: null }),
  })
  if (!changed) throw notFound('Gateway')
  if (changed.enabled) await wantWebhook(tx, changed)
  return changed
}

/** Takes a gateway out of use; payments that were started through it are still completed. */
export async function archiveGateway(tx: Tx, key: GatewayKey, now: Instant): Promise<void> {
  if (!(await lockGateway(tx, key))) throw notFound('Gateway')
  await updateGateway(tx, key, { enabled: false, archivedAt: now })
}

/** Records the result of checking a gateway's credentials. */
export async function recordGatewayCheck(
  tx: Tx,
  key: GatewayKey,
  { account, fault }: { account: AccountSnapshot | null; fault: string | null },
  now: Instant,
): Promise<void> {
  const row = await lockGateway(tx, key)
  if (!row) return
  const found = account ? { accountId: account.accountId } : {}
  await updateGateway(tx, key, { ...found, fault, checkedAt: now })
  if (fault !== null && row.fault === null) {
    const data = { gatewayId: row.id, name: row.name }
    await emit(tx, adminAttention, { tenantId: row.tenantId, kind: 'gateway_unhealthy', data })
  }
}

/** Whether an error says that the provider does not accept our credentials (any more). */
export function isCredentialsFault({ kind }: GatewayError): boolean {
  return kind === 'credentials'
}

async function wantWebhook(tx: Tx, { tenantId, id }: GatewayRow): Promise<void> {
  await enqueue(tx, registerWebhook, { tenantId, gatewayId: id })
}

function assertConfigured(
  { settingsSchema, secretsSchema }: PaymentGateway,
  settings: Record<string, unknown>,
  secrets: Record<string, string>,
): void {
  assertFits(settingsSchema, settings, 'settings')
  assertFits(secretsSchema, secrets, 'secrets')
}

/** Encrypts secrets for their row. */
export function seal(
  { secrets: keys }: Pick<Deps, 'secrets'>,
  row: Pick<GatewayRow, 'tenantId' | 'id'>,
  secrets: Record<string, string>,
): string {
  return keys.seal(JSON.stringify(secrets), boundTo(row))
}
