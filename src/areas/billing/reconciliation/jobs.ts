import { newId } from '#lib/id.ts'
import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { adminAttention } from '../events.ts'
import { type Connection, connect, driverOf } from '../gateways/connection.ts'
import type { ListedPayment } from '../gateways/contract.ts'
import { GatewayError } from '../gateways/error.ts'
import { findKeptGateway, type GatewayKey, updateGateway } from '../gateways/queries.ts'
import type { Observation, PaymentSnapshot } from '../gateways/snapshots.ts'
import { applyObservation } from '../inbox/observe.ts'
import { compareBooks } from '../work.ts'
import { findBooked, insertBreak, listBookedBetween, listUncompared } from './queries.ts'
import { differenceOf } from './rules.ts'

const LOOK_MS = HOUR_MS
const AGAIN_MS = DAY_MS
/** How far back the books are compared. */
const COMPARED_MS = 3 * DAY_MS
/** A hosted page lives for a day, and its payment may be as old as the page. */
const PAGE_MS = DAY_MS
/** A more recent change may be reported incompletely: it is compared the next night. */
const MOVING_MS = HOUR_MS
const BATCH = 100

/** Finds, once a day, the gateways whose provider's books are to be compared with ours. */
export const compareDaily = schedule('billing.compare-daily', LOOK_MS, async (context) => {
  const due = await listUncompared(context.db, later(context.now, -AGAIN_MS))
  const listed = due.filter(
    ({ driver }) => driverOf(context.config, driver)?.capabilities.listPayments,
  )
  await context.transact(async (tx) => {
    for (const { tenantId, id: gatewayId } of listed) {
      await enqueue(tx, compareBooks, { tenantId, gatewayId }, { key: gatewayId })
    }
  })
})

/**
 * Compares a provider's payments of the last three days with ours, both ways. Payments that are
 * missing in our books are booked; what differs after that is stored as a break, and an
 * administrator is told.
 */
export const compareBooksJob = job(
  compareBooks,
  async (context, key) => {
    const row = await findKeptGateway(context.db, key)
    if (!row?.enabled) return
    const connection = await connect(context, row, context.signal)
    const { driver, context: gateway } = connection
    if (!driver.listPayments) return
    // The provider's clock was not moved with ours.
    const realNow = later(context.now, -context.clock.offsetMs)
    const from = later(realNow, -COMPARED_MS)
    const seen = new Set<string>()
    let found = 0
    try {
      for await (const listed of driver.listPayments(gateway, later(from, -PAGE_MS))) {
        const payment = paymentIn(listed.told)
        if (payment?.ref.paymentId) seen.add(payment.ref.paymentId)
        if (payment && (await compareOne(context, connection, listed, payment))) found += 1
      }
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== 'credentials') throw error
      return noteUnread(context, connection, error)
    }
    found += await findUntold(context, connection, { from, to: realNow, seen })
    await context.transact(async (tx) => {
      await updateGateway(tx, key, { comparedAt: context.now })
      if (found === 0) return
      const data = { gatewayId: row.id, name: row.name, count: found }
      await emit(tx, adminAttention, { tenantId: key.tenantId, kind: 'books_differ', data })
    })
  },
  { retries: 3, timeoutSeconds: 900 },
)

/**
 * The account may not list its payments: asks again the next night, and tells administrators once.
 */
async function noteUnread(
  context: JobContext,
  connection: Connection,
  { providerCode, kind }: GatewayError,
): Promise<void> {
  const { row } = connection
  const key = keyOf(connection)
  await context.transact(async (tx) => {
    await updateGateway(tx, key, { comparedAt: context.now })
    const about = { ...key, id: newId(), kind: 'books_not_read', objectId: row.id, attemptId: null }
    const details = { code: providerCode ?? kind }
    const isNew = await insertBreak(tx, { ...about, details, createdAt: context.now })
    if (!isNew) return
    const data = { gatewayId: row.id, name: row.name, code: details.code }
    await emit(tx, adminAttention, { tenantId: key.tenantId, kind: 'books_not_read', data })
  })
}

function paymentIn(told: readonly Observation[]): PaymentSnapshot | undefined {
  for (const observation of told) if (observation.type === 'payment') return observation.payment
  return undefined
}

function keyOf({ row }: Connection): GatewayKey {
  return { tenantId: row.tenantId, gatewayId: row.id }
}

/** Updates our books to the provider's report; returns whether a new break remains. */
async function compareOne(
  context: JobContext,
  connection: Connection,
  listed: ListedPayment,
  asListed: PaymentSnapshot,
): Promise<boolean> {
  const key = keyOf(connection)
  const providerPaymentId = asListed.ref.paymentId
  if (!providerPaymentId) return false
  const before = await findBooked(context.db, key, providerPaymentId)
  if (differenceOf(asListed, before) === null) return false
  const told = listed.again ? await listed.again() : listed.told
  const payment = paymentIn(told)
  if (!payment) return false
  return context.transact(async (tx) => {
    for (const observation of told) {
      const observed = await applyObservation(tx, key, observation, context.now)
      // Already listed by the code that would have booked it.
      if (observed === 'break') return false
    }
    const booked = await findBooked(tx, key, providerPaymentId)
    const kind = differenceOf(payment, booked)
    if (kind === null) return false
    if (before && booked && booked.moved > later(context.now, -MOVING_MS)) return false
    const details = {
      ...{ paymentId: providerPaymentId, attemptId: payment.correlation?.attemptId ?? null },
      provider: {
        ...{ receivedCents: payment.received.amountCents, currency: payment.received.currency },
        ...{ refundedCents: payment.refundedCents, disputedCents: payment.disputedCents },
      },
      booked: booked
        ? {
            ...{ receivedCents: booked.receivedCents, currency: booked.currency },
            ...{ refundedCents: booked.refundedCents, disputedCents: booked.disputedCents },
          }
        : null,
    }
    const row = { ...key, id: newId(), kind, objectId: providerPaymentId, attemptId: null }
    return (await insertBreak(tx, { ...row, details, createdAt: context.now })) !== undefined
  })
}

type Time = { from: Instant; to: Instant; seen: ReadonlySet<string> }

/** Reads, one by one, payments in our books that the provider did not list. */
async function findUntold(
  context: JobContext,
  connection: Connection,
  { from, to, seen }: Time,
): Promise<number> {
  const key = keyOf(connection)
  let found = 0
  let after: string | null = null
  for (;;) {
    const booked: Awaited<ReturnType<typeof listBookedBetween>> = await listBookedBetween(
      context.db,
      key,
      { from, to: later(to, -MOVING_MS), after },
      BATCH,
    )
    for (const payment of booked) {
      const { providerPaymentId, receivedCents, currency } = payment
      if (seen.has(providerPaymentId)) continue
      if (await isKnown(connection, payment)) continue
      const kind = 'payment_not_at_provider'
      const details = { paymentId: payment.id, receivedCents, currency }
      const row = { ...key, id: newId(), kind, objectId: providerPaymentId, attemptId: null }
      const isNew = await context.transact((tx) =>
        insertBreak(tx, { ...row, details, createdAt: context.now }),
      )
      if (isNew) found += 1
    }
    after = booked.at(-1)?.id ?? null
    if (booked.length < BATCH || after === null) return found
  }
}

async function isKnown(
  { driver, context }: Connection,
  payment: Awaited<ReturnType<typeof listBookedBetween>>[number],
): Promise<boolean> {
  try {
    const { providerPaymentId: paymentId, receivedCents, currency } = payment
    const { received } = await driver.fetchPayment(context, { paymentId })
    return received.amountCents === receivedCents && received.currency === currency
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'not_found') return false
    throw error
  }
}
