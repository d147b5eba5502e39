import { HOUR_MS, SECOND_MS } from '#lib/time.ts'
import { job } from '#platform/jobs.ts'
import { findCustomerById } from '../customers/queries.ts'
import { connect } from '../gateways/connection.ts'
import { findGateway } from '../gateways/queries.ts'
import { forgetCustomer } from '../work.ts'

/** A provider that is unavailable for days, or whose key was revoked meanwhile, is still told. */
const PATIENCE = { retries: 30, retrySecondsMax: (6 * HOUR_MS) / SECOND_MS }

/**
 * Deletes a person whose account has ended at a payment provider. The provider keeps the payments
 * that it must keep, and they can still be refunded.
 */
export const forgetCustomerJob = job(
  forgetCustomer,
  async (context, key) => {
    const customer = await findCustomerById(context.db, key)
    const row = customer && (await findGateway(context.db, customer))
    if (!customer || !row) return
    const { driver, context: gateway } = await connect(context, row, context.signal)
    await driver.forgetCustomer?.(gateway, customer.providerCustomerId)
  },
  PATIENCE,
)
