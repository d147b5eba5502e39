import { conflict } from '#lib/problem.ts'
import { SECOND_MS } from '#lib/time.ts'
import type { Config } from '#platform/config.ts'
import type { Deps } from '#platform/deps.ts'
import { sealedColumn } from '#platform/resealing.ts'
import { hmac } from '#platform/secrets.ts'
import { installationIdOf } from '../installation.ts'
import { type Breaker, guarded, startBreaker } from './breaker.ts'
import type { GatewayContext, PaymentGateway } from './contract.ts'
import type { GatewayRow } from './queries.ts'
import { gatewayDrivers } from './registry.ts'
import type { Correlation } from './snapshots.ts'

/** A gateway's row together with its driver, ready for calls. */
export type Connection = {
  readonly row: GatewayRow
  readonly driver: PaymentGateway
  readonly context: GatewayContext
}

/** What is needed to make a connection. */
export type ConnectionDeps = Pick<
  Deps,
  'config' | 'secrets' | 'clock' | 'log' | 'database' | 'outbound'
>

const CALL_MS = 60 * SECOND_MS

const drivers = new WeakMap<Config, ReadonlyMap<string, PaymentGateway>>()

/** The driver with this name; undefined if this installation has none. */
export function driverOf(config: Config, name: string): PaymentGateway | undefined {
  return driversOf(config).get(name)
}

/** Every driver of this installation, by its name. */
export function driversOf(config: Config): ReadonlyMap<string, PaymentGateway> {
  let known = drivers.get(config)
  if (!known) {
    known = gatewayDrivers(config)
    drivers.set(config, known)
  }
  return known
}

const breakers = new WeakMap<Config, Map<string, Breaker>>()

function breakerOf(config: Config, gatewayId: string): Breaker {
  const known = breakers.get(config) ?? new Map<string, Breaker>()
  breakers.set(config, known)
  const breaker = known.get(gatewayId) ?? startBreaker()
  known.set(gatewayId, breaker)
  return breaker
}

/** The address to which a provider reports events. */
export function webhookUrlOf({ publicUrl }: Config, gatewayId: string): string {
  return `${publicUrl}/v1/billing/webhooks/${gatewayId}`
}

/** What binds a gateway's secrets to their row: sealed text in another row cannot be decrypted. */
export function boundTo({ tenantId, id }: Pick<GatewayRow, 'tenantId' | 'id'>): string {
  return `billing.gateways ${tenantId} ${id}`
}

/** The columns with the sealed secrets of gateways. */
export const sealedGatewaySecrets = sealedColumn(
  'billing.gateways',
  'sealedSecrets',
  ['tenantId', 'id'],
  boundTo,
)

/** Decrypts a gateway's secrets for one call. */
export function secretsOf(
  { secrets }: Pick<Deps, 'secrets'>,
  row: Pick<GatewayRow, 'tenantId' | 'id' | 'sealedSecrets'>,
): Record<string, string> {
  return row.sealedSecrets === null ? {} : JSON.parse(secrets.open(row.sealedSecrets, boundTo(row)))
}

/**
 * Connects to a gateway for one piece of work; the call ends after a minute, or with `signal`.
 * Throws 409 when this installation has no such driver (any more).
 */
export async function connect(
  deps: ConnectionDeps,
  row: GatewayRow,
  signal?: AbortSignal,
): Promise<Connection> {
  const driver = driverOf(deps.config, row.driver)
  if (!driver) throw conflict('This payment method is not available here.', 'gateway_unavailable')
  const timeout = AbortSignal.timeout(CALL_MS)
  const log = deps.log.child({ gatewayId: row.id })
  const context: GatewayContext = {
    installationId: await installationIdOf(deps.database),
    gatewayId: row.id,
    mode: row.mode,
    settings: row.settings,
    secrets: secretsOf(deps, row),
    webhookUrl: webhookUrlOf(deps.config, row.id),
    ...(row.webhookEndpointId && { webhookEndpointId: row.webhookEndpointId }),
    tokenFor: (what) => tokensFor(deps, row.id, what),
    request: deps.outbound.for({ tenantId: row.tenantId, purpose: 'payment' }).request,
    now: deps.clock.now,
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    log: (level, message, data) => log[level](data ?? {}, message),
  }
  const breaker = breakerOf(deps.config, row.id)
  return { row, driver: guarded(driver, breaker, deps.clock.now), context }
}

/** Tokens by every configured key: an address made under the previous key is still valid. */
function tokensFor(
  { secrets }: Pick<Deps, 'secrets'>,
  gatewayId: string,
  what: string,
): readonly [string, ...string[]] {
  const [first, ...rest] = secrets
    .keysFor('billing webhook addresses')
    .map(({ key }) => hmac(key, `${gatewayId} ${what}`))
  if (first === undefined) throw new Error('No secret key')
  return [first, ...rest]
}

/** Our ids for an object of this gateway, as a provider stores them. */
export function correlationFor(
  { row, context }: Connection,
  { attemptId, invoiceId }: { attemptId: string; invoiceId?: string | undefined },
): Correlation {
  return {
    installationId: context.installationId,
    tenantId: row.tenantId,
    gatewayId: row.id,
    attemptId,
    ...(invoiceId && { invoiceId }),
  }
}

/** The idempotency key of one write at the provider: the same row and number have one effect. */
export function keyFor(
  { context }: Connection,
  operation: 'cus' | 'checkout' | 'setup' | 'charge' | 'refund' | 'cancel' | 'settle',
  rowId: string,
  number = 1,
): string {
  return `${context.installationId}:${operation}:${rowId}:${number}`
}
