import { sql } from 'kysely'
import { type Cents, cents, rateOf } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import type { PriceMode } from '#lib/tax.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { withoutTax } from '../recurring/rules.ts'
import { salesFor } from '../renewals/billing.ts'
import { discounted, MONTHLY, withWorth } from './queries.ts'
import { NOT_BEGUN } from './renewals.ts'

type Which = { readonly tenantId: string; readonly importId: string }

/** The price mode of an import, and how this shop converts its prices. */
export type PriceTerms = {
  /** Whether the prices of the other system include tax. */
  readonly from: PriceMode
  /** Whether the prices of this shop include tax. */
  readonly to: PriceMode
  /** Whether customers go on paying the same total. */
  readonly keepTotal: boolean
}

/**
 * Whether the old price of an imported service includes tax: if no tax was charged, customers paid the price unchanged.
 */
export function formerModeOf({ imported }: Pick<ServiceRow, 'imported'>, from: PriceMode) {
  return imported?.untaxed ? 'inclusive' : from
}

/** Whether a service has its price converted to the mode of this shop. */
export function isConverted(
  service: Pick<ServiceRow, 'imported'>,
  { from, to, keepTotal }: PriceTerms,
): boolean {
  return keepTotal && formerModeOf(service, from) !== to
}

const AT_ONCE = 500

/** Running imported services on which the other system charged no tax, keyset-paginated by id. */
function listUntaxed(db: Db, { tenantId, importId }: Which, after: string) {
  return db
    .selectFrom('services.services as service')
    .selectAll('service')
    .where('service.tenantId', '=', tenantId)
    .where(sql<string>`service.imported ->> 'importId'`, '=', importId)
    .where(sql<boolean>`(service.imported ->> 'untaxed')::boolean`)
    .where('service.endedAt', 'is', null)
    .where('service.activatedAt', 'is not', null)
    .where('service.interval', 'in', ['week', 'month', 'year'])
    .where('service.id', '>', after)
    .orderBy('service.id')
    .limit(AT_ONCE)
    .execute()
}

/**
 * Whether this shop charges tax on a running service of an import on which the other system charged none, or cannot tell
 * because the service cannot be priced. Read-only.
 */
export async function taxesUntaxed(db: Db, which: Which, now: Instant): Promise<boolean> {
  for (let after = FIRST; ; ) {
    const page = await listUntaxed(db, which, after)
    const sales = await salesFor(db, which.tenantId, firstPeriods(page, now), now)
    const isTaxed = (sale: (typeof sales)[number]) =>
      'failure' in sale || sale.document.totalCents > sale.document.netCents
    if (sales.some(isTaxed)) return true
    const last = page.at(-1)
    if (!last || page.length < AT_ONCE) return false
    after = last.id
  }
}

/** Services that were ordered in the other system and are not delivered yet, as `service`: they renew after that. */
const ORDERED = sql`(service.interval in ('week', 'month', 'year') and service.ended_at is null
  and service.activated_at is null and service.anchor_at is null)`

/** Imported services that do not renew yet, keyset-paginated by id. */
function listNotBegun(db: Db, { tenantId, importId }: Which, after: string) {
  return db
    .selectFrom('services.services as service')
    .selectAll('service')
    .where('service.tenantId', '=', tenantId)
    .where(sql<string>`service.imported ->> 'importId'`, '=', importId)
    .where(sql<boolean>`(${NOT_BEGUN} or ${ORDERED})`)
    .where('service.id', '>', after)
    .orderBy('service.id')
    .limit(AT_ONCE)
    .execute()
}

const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Converts the prices of imported services that do not renew yet so that customers pay the same total: tax is
 * removed from gross prices, or added to net prices, at the rate of each customer. Returns the number of changed
 * services. Throws if a service cannot be priced, for example because of a missing tax rate.
 */
export async function convertPrices(
  tx: Tx,
  { terms, ...which }: Which & { readonly terms: PriceTerms },
  now: Instant,
): Promise<number> {
  let converted = 0
  for (let after = FIRST; ; ) {
    const page = await listNotBegun(tx, which, after)
    const services = page.filter((it) => isConverted(it, terms))
    const prices = await convertedPrices(tx, which.tenantId, { services, to: terms.to }, now)
    const known = prices.map((it) => {
      if ('failure' in it) throw it.failure
      return it
    })
    converted += await updatePrices(tx, which.tenantId, known, now)
    const last = page.at(-1)
    if (!last || page.length < AT_ONCE) return converted
    after = last.id
  }
}

export type NewPrice = Pick<ServiceRow, 'id' | 'priceCents' | 'components'> & {
  coupons: Record<string, unknown>[]
}
type Converted = NewPrice | { failure: unknown }

/**
 * The converted price of each service, in order, at which its customer pays the same total, or the error that prevents
 * it. Not every total equals a whole net amount with its tax: if it does not, the customer pays a cent less, never
 * more.
 */
export async function convertedPrices(
  tx: Db,
  tenantId: string,
  { services, to }: { services: readonly ServiceRow[]; to: PriceMode },
  now: Instant,
): Promise<Converted[]> {
  if (services.length === 0) return []
  const sales = await salesFor(tx, tenantId, firstPeriods(services, now), now)
  const prices = sales.map((sale): Converted => {
    if ('failure' in sale) return { failure: sale.failure }
    const { id, priceCents, coupons, components } = sale.service
    const rate = sale.document.lines[0]?.tax.rateBasisPoints ?? null
    const convert = (amount: Cents) =>
      to === 'exclusive' ? withoutTax(amount, rate) : cents(amount + rateOf(amount, rate ?? 0))
    const kept = coupons.map((coupon) => {
      const { amountCents } = coupon
      return typeof amountCents === 'number'
        ? { ...coupon, amountCents: convert(cents(amountCents)) }
        : coupon
    })
    const total = convert(priceCents)
    const parts = components.map((it) => ({ ...it, priceCents: convert(it.priceCents) }))
    return { id, priceCents: total, coupons: kept, components: fitting(parts, total) }
  })
  if (to === 'inclusive') return prices
  // If the gross price is treated as a net price, the net total is what the customer has paid, after discounts.
  const paid = sales.map((sale) => ('document' in sale ? sale.document.netCents : cents(0)))
  return lowered(tx, tenantId, { services, prices, paid }, now)
}

/** Components that cost no more together than the whole service: what is too much is taken from the last of them. */
function fitting(components: ServiceRow['components'], priceCents: Cents) {
  let left: number = priceCents
  return components.map((it) => {
    const own = cents(Math.min(it.priceCents, left))
    left -= own
    return { ...it, priceCents: own }
  })
}

/** At most this many cents: one rounding each of the price, a discount and the tax. */
const ROUNDINGS = 3

type ToLower = {
  readonly services: readonly ServiceRow[]
  readonly prices: readonly Converted[]
  readonly paid: readonly Cents[]
}

/** The net prices, each lowered until its total is at most what was paid before. */
async function lowered(
  tx: Db,
  tenantId: string,
  { services, prices, paid }: ToLower,
  now: Instant,
): Promise<Converted[]> {
  const found = [...prices]
  for (let round = 0; round < ROUNDINGS; round += 1) {
    const priced = services.flatMap((service, index) => {
      const price = found[index]
      return price && 'priceCents' in price ? { index, service: { ...service, ...price } } : []
    })
    const periods = firstPeriods(
      priced.map(({ service }) => service),
      now,
    )
    const sales = await salesFor(tx, tenantId, periods, now)
    const above = priced.filter(({ index }, place) => {
      const sale = sales[place]
      return sale && 'document' in sale && sale.document.totalCents > (paid[index] ?? 0)
    })
    if (above.length === 0) break
    for (const { index, service } of above) {
      const { id, coupons } = service
      const priceCents = cents(Math.max(0, service.priceCents - 1))
      const components = fitting(service.components, priceCents)
      found[index] = { id, coupons, priceCents, components }
    }
  }
  return found
}

/** The first period of each service that this shop invoices, to price it. */
function firstPeriods(services: readonly ServiceRow[], now: Instant) {
  return services.map((service) => {
    const { productId, planId } = service
    const anchor = service.anchorAt ?? now
    const period = { start: anchor, end: boundary(anchor, service, 1) }
    return { service, plan: { productId, planId, cycle: service, anchor }, period, dueAt: now }
  })
}

/** Writes prices, and the resulting change of monthly recurring revenue. */
async function updatePrices(
  tx: Tx,
  tenantId: string,
  prices: readonly NewPrice[],
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb)
        as it (id uuid, "priceCents" bigint, coupons jsonb, components jsonb)
    ), before as (
      select service.id, coalesce(sum(noted.change_cents), 0)::bigint as monthly
      from services.services as service
      left join services.recurring as noted
        on noted.tenant_id = service.tenant_id and noted.service_id = service.id
      where service.tenant_id = ${tenantId} and service.id in (select id from given)
      group by service.id
    ), changed as (
      update services.services as service
      set price_cents = given."priceCents",
        value_cents = ${discounted('given."priceCents"', 'given.coupons')}, coupons = given.coupons,
        components = ${withWorth('given.components', 'given."priceCents"', discounted('given."priceCents"', 'given.coupons'))}
      from given
      where service.tenant_id = ${tenantId} and service.id = given.id
        and service.price_cents <> given."priceCents"
      returning service.id, service.user_id, service.currency, ${MONTHLY} as monthly
    ), noted as (
      insert into services.recurring
        (tenant_id, id, service_id, user_id, currency, change_cents, created_at)
      select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), changed.id, user_id, currency,
        changed.monthly - before.monthly, ${now}
      from changed join before on before.id = changed.id
      where changed.monthly <> before.monthly and before.monthly > 0
    )
    select count(*)::integer as count from changed`.execute(tx)
  return rows[0]?.count ?? 0
}
