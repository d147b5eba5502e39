import { createHash } from 'node:crypto'
import type { CustomerInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { MethodSnapshot } from '../snapshots.ts'
import type { MollieApi } from './client.ts'
import { localeFor } from './payments.ts'
import { Customer, Mandate } from './schema.ts'
import { mandateIn, methodOf } from './snapshots.ts'

/** Creates the customer, or updates a known one; creates a new one if that one was deleted. */
export async function ensureCustomer(
  api: MollieApi,
  input: CustomerInput,
  idempotencyKey: string,
): Promise<{ customerId: string }> {
  const { existingCustomerId: known, userId, email, name } = input
  const { installationId, gatewayId } = api.context
  const locale = localeFor(input.locale)
  const body = {
    ...{ email, name: name ?? email },
    ...(locale && { locale }),
    metadata: { installation_id: installationId, gateway_id: gatewayId, user_id: userId },
  }
  if (known) {
    try {
      const path = `customers/${encodeURIComponent(known)}`
      return { customerId: (await api.write('PATCH', path, Customer, { body })).id }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
    }
  }
  // The key must differ: a person's data may change between two calls, another gateway of the
  // account has its own customer, and the key of a deleted customer would return that customer
  // again.
  const digest = createHash('sha256').update(JSON.stringify({ ...body, after: known ?? null }))
  const key = `${idempotencyKey}:${digest.digest('hex').slice(0, 16)}`
  const made = await api.write('POST', 'customers', Customer, { idempotencyKey: key, body })
  return { customerId: made.id }
}

/** Deletes a customer, which ends their mandates; succeeds if Mollie no longer knows them. */
export async function forgetCustomer(api: MollieApi, customerId: string): Promise<void> {
  try {
    await api.remove(`customers/${encodeURIComponent(customerId)}`)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
  }
}

/** The mandates of a customer, also those that are no longer valid. */
export async function listMethods(
  api: MollieApi,
  customerId: string,
): Promise<readonly MethodSnapshot[]> {
  const path = `customers/${encodeURIComponent(customerId)}/mandates`
  const methods: MethodSnapshot[] = []
  for await (const mandate of api.list(path, 'mandates', Mandate)) {
    methods.push(methodOf(customerId, mandate))
  }
  return methods
}

/** Revokes a mandate; succeeds if Mollie no longer knows it. */
export async function detachMethod(api: MollieApi, methodId: string): Promise<void> {
  const { customerId, mandateId } = mandateIn(methodId)
  try {
    await api.remove(`customers/${customerId}/mandates/${mandateId}`)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
  }
}
