import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { billingProfileOf } from '#users'
import { ensureCustomer } from '../customers/actions.ts'
import { type Connection, correlationFor } from '../gateways/connection.ts'
import type { ChargeSavedInput, StartPaymentInput, StartSetupInput } from '../gateways/contract.ts'
import { GatewayError } from '../gateways/error.ts'
import { partsOfAll } from '../invoices/queries.ts'
import { findMethod } from '../methods/queries.ts'
import { type AttemptRow, invoiceIdsOf } from './queries.ts'

type Unkeyed<T> = Omit<T, 'idempotencyKey'>

/** What is sent to a provider for an attempt; stored, so that a repeated call sends the same. */
export type SentRequest =
  | { readonly what: 'checkout'; readonly input: Unkeyed<StartPaymentInput> }
  | { readonly what: 'charge'; readonly input: Unkeyed<ChargeSavedInput> }
  | { readonly what: 'setup'; readonly input: Unkeyed<StartSetupInput> }

const LONGEST_DESCRIPTION = 200

/** The request of an attempt: the one sent before, otherwise one made from the current data. */
export async function requestFor(
  deps: Deps,
  db: Db,
  connection: Connection,
  attempt: AttemptRow,
): Promise<SentRequest> {
  if (attempt.request) return attempt.request as unknown as SentRequest
  const { tenantId, userId } = attempt
  const customerId = await ensureCustomer(db, connection, userId, deps.clock.now())
  const invoiceIds = await invoiceIdsOf(db, attempt)
  const attemptId = attempt.id
  const correlation = correlationFor(connection, { attemptId, invoiceId: invoiceIds[0] })
  const back = `${deps.config.publicUrl}/v1/billing/return/${attemptId}`
  const pages = { returnUrl: back, cancelUrl: `${back}?canceled=true` }
  const profile = await billingProfileOf(db, { tenantId, userId })
  const locale = profile?.locale ?? 'en'
  if (attempt.purpose === 'setup') {
    if (!customerId) throw new GatewayError('unsupported', 'This gateway knows no customers.')
    const mode = attempt.embedded ? ('embedded' as const) : ('redirect' as const)
    const { currency } = attempt
    return { what: 'setup', input: { correlation, customerId, currency, ...pages, locale, mode } }
  }
  const amount = { amountCents: attempt.amountCents, currency: attempt.currency }
  const description = await descriptionOf(db, tenantId, invoiceIds)
  if (attempt.paymentMethodId !== null) {
    const method = await findMethod(db, tenantId, attempt.paymentMethodId)
    if (!method || method.goneAt !== null || !customerId) {
      throw new GatewayError('method_gone', 'The saved method is gone.')
    }
    const methodId = method.providerMethodId
    return { what: 'charge', input: { correlation, amount, customerId, methodId, description } }
  }
  const who = customerId ? { customerId } : { ...(profile && { customerEmail: profile.email }) }
  const { saveMethod } = attempt
  const input = { correlation, amount, description, ...who, locale, saveMethod, ...pages }
  return { what: 'checkout', input }
}

/** What the customer reads on the provider's page and their statement. */
async function descriptionOf(db: Db, tenantId: string, invoiceIds: readonly string[]) {
  const { lines } = await partsOfAll(db, tenantId, invoiceIds)
  const [first, ...others] = lines
  if (!first) return 'Invoice'
  const text = first.description.slice(0, LONGEST_DESCRIPTION)
  return others.length > 0 ? `${text} + ${others.length}` : text
}
