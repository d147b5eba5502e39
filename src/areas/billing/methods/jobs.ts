import type { JobContext } from '#platform/deps.ts'
import { job } from '#platform/jobs.ts'
import { findCustomer } from '../customers/queries.ts'
import { type Connection, connect } from '../gateways/connection.ts'
import { findGateway } from '../gateways/queries.ts'
import { detachMethod, setDefaultMethod } from '../work.ts'
import { findMethod, type MethodRow } from './queries.ts'

/** Removes a method at the provider; in our database it is already removed. */
export const detachMethodJob = job(detachMethod, async (context, key) => {
  const known = await connectionOf(context, key)
  if (!known) return
  const { connection, method } = known
  await connection.driver.detachMethod?.(connection.context, method.providerMethodId)
})

/** Makes the customer's default method the default on the provider's pages too. */
export const setDefaultMethodJob = job(setDefaultMethod, async (context, key) => {
  const known = await connectionOf(context, key)
  if (!known?.method.isDefault) return
  const { connection, method } = known
  const customer = await findCustomer(context.db, method)
  if (!customer) return
  const { providerCustomerId } = customer
  const { driver, context: gateway } = connection
  await driver.setDefaultMethod?.(gateway, providerCustomerId, method.providerMethodId)
})

async function connectionOf(
  context: JobContext,
  { tenantId, methodId }: { tenantId: string; methodId: string },
): Promise<{ connection: Connection; method: MethodRow } | null> {
  const method = await findMethod(context.db, tenantId, methodId)
  const row = method && (await findGateway(context.db, method))
  if (!method || !row) return null
  return { connection: await connect(context, row, context.signal), method }
}
