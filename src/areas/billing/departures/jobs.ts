import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { HOUR_MS, SECOND_MS } from '#lib/time.ts'
import { job } from '#platform/jobs.ts'
import { findCustomerById } from '../customers/queries.ts'
import { connect } from '../gateways/connection.ts'
import { findGateway } from '../gateways/queries.ts'

const Customer = Type.Object({ tenantId: Id, id: Id })

/** A provider that is away for days, or whose key was revoked meanwhile, still hears of it. */
const PATIENCE = { retries: 30, retrySecondsMax: (6 * HOUR_MS) / SECOND_MS }

/**
 * Deletes somebody whose account has ended at a payment provider. What the provider has to keep of
 * their payments stays with it, and refunds of them are still possible.
 */
export const forgetCustomer = job(
  'billing.forget-customer',
  Customer,
  async (context, key) => {
    const customer = await findCustomerById(context.db, key)
    const row = customer && (await findGateway(context.db, customer))
    if (!customer || !row) return
    const { driver, context: gateway } = await connect(context, row, context.signal)
    await driver.forgetCustomer?.(gateway, customer.providerCustomerId)
  },
  PATIENCE,
)
