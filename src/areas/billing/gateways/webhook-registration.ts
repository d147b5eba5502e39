import type { JobContext } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { job } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { registerWebhook } from '../work.ts'
import { boundTo, connect, secretsOf } from './connection.ts'
import { GatewayError } from './error.ts'
import { findKeptGateway, type GatewayKey, lockGateway, updateGateway } from './queries.ts'
import { hintsOf } from './rules.ts'

/** Tells a provider where to report what happens, unless an administrator did so by hand. */
export const registerWebhookJob = job(registerWebhook, async (context, key) => {
  // Registers again if an endpoint was created: the second call removes the endpoints that it
  // replaces.
  if (await register(context, key)) await register(context, key)
})

async function register(context: JobContext, key: GatewayKey): Promise<boolean> {
  const row = await findKeptGateway(context.db, key)
  if (!row?.enabled) return false
  const byHand = row.webhookEndpointId === null && 'webhookSecret' in row.secretHints
  const { driver, context: gateway } = await connect(context, row, context.signal)
  if (!driver.ensureWebhook || byHand) return false
  try {
    const made = await driver.ensureWebhook(gateway)
    if (!made.newSecret) return false
    await keepEndpoint(context, key, { endpointId: made.endpointId, secret: made.newSecret })
    return true
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'invalid_request') throw error
    // For example an address that the provider cannot reach. Payments are found without the
    // webhook, only later.
    const data = { gatewayId: row.id, name: row.name, message: error.message }
    await context.transact((tx) =>
      emit(tx, adminAttention, { tenantId: key.tenantId, kind: 'webhook_not_registered', data }),
    )
    return false
  }
}

/** Stores the new endpoint's secret beside the old one: messages of both are on their way. */
async function keepEndpoint(
  context: JobContext,
  key: GatewayKey,
  { endpointId, secret }: { endpointId: string; secret: string },
): Promise<void> {
  await context.transact(async (tx) => {
    const row = await lockGateway(tx, key)
    if (!row) return
    const { webhookSecret, ...rest } = secretsOf(context, row)
    const secrets: Record<string, string> = {
      ...rest,
      webhookSecret: secret,
      ...(webhookSecret && { webhookSecretPrevious: webhookSecret }),
    }
    await updateGateway(tx, key, {
      sealedSecrets: context.secrets.seal(JSON.stringify(secrets), boundTo(row)),
      secretHints: hintsOf(secrets),
      webhookEndpointId: endpointId,
    })
  })
}
