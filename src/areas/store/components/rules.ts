import { type Cents, cents } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import type { PriceRow } from './queries.ts'
import type { NewComponentPrice } from './schema.ts'

/** The cycle and currency in which something is sold. */
export type Terms = {
  readonly interval: Interval
  readonly intervalCount: number
  readonly currency: string
}

/** What one service is charged for a component, in cents of its currency. */
export type ComponentPrice = {
  /** Per period; by the hour, the most that a month costs. */
  readonly priceCents: Cents
  readonly feeCents: Cents
  /** Per hour, if hours are metered. */
  readonly priceMicros: number | null
}

/** What was chosen for one location or option, as it is stored with a service. */
export type Selected = {
  /** `location`, or the key of the option: unique in a service. */
  readonly key: string
  readonly kind: 'location' | 'option'
  /** The id of the location or option. */
  readonly sourceId: string
  readonly valueId: string | null
  readonly quantity: number | null
  readonly text: string | null
}

/** A selection with its price for one service, which is for the whole quantity. */
export type Component = Selected &
  ComponentPrice & {
    /** What the option is called; null for a location, for which each language has a word. */
    readonly name: string | null
    readonly label: string
    /** The position of its line: the location at 0, then the options. */
    readonly position: number
  }

const LOCATION_KEY = 'location'

/** The price in a cycle and currency; undefined if there is none. */
export function priceAt<R extends Terms & ComponentPrice>(
  rows: readonly R[],
  { interval, intervalCount, currency }: Terms,
): R | undefined {
  return rows.find(
    (row) =>
      row.interval === interval && row.intervalCount === intervalCount && row.currency === currency,
  )
}

/** Throws 422 for two prices of one cycle and currency, and for a price per hour if hours are not metered. */
export function assertPriceRows(rows: readonly NewComponentPrice[]): void {
  const seen = new Set<string>()
  for (const { interval, intervalCount = 1, currency, priceMicros = null } of rows) {
    if ((interval === 'hour') !== (priceMicros !== null)) {
      const message =
        interval === 'hour'
          ? 'A price by the hour needs priceMicros.'
          : 'priceMicros is for prices by the hour only.'
      throw unprocessable(message, 'price_micros_mismatch')
    }
    const key = `${interval} ${intervalCount} ${currency}`
    if (seen.has(key)) {
      throw unprocessable('There are two prices for one cycle and currency.', 'price_twice')
    }
    seen.add(key)
  }
}

/** A location with its surcharge beside each plan; without any rows it costs nothing. */
type Priced = {
  readonly id: string
  readonly name: string
  readonly prices: readonly PriceRow[]
}

/** Whether a location is sold in a cycle and currency: it has no surcharges at all, or one for them. */
export function isSoldIn({ prices }: Pick<Priced, 'prices'>, terms: Terms): boolean {
  return prices.length === 0 || priceAt(prices, terms) !== undefined
}

/** A location as a component; null if it has no surcharge, or is not sold. */
export function locationComponent({ id, name, prices }: Priced, terms: Terms): Component | null {
  const price = priceAt(prices, terms)
  if (!price) return null
  return {
    ...{ key: LOCATION_KEY, kind: 'location' as const, sourceId: id, valueId: null },
    ...{ quantity: null, text: null, name: null, label: name, position: 0 },
    priceCents: price.priceCents,
    feeCents: price.feeCents,
    priceMicros: price.priceMicros,
  }
}

/** What components cost together for one service. */
export function sumOfComponents(components: readonly ComponentPrice[]): ComponentPrice {
  const micros = components.map((it) => it.priceMicros ?? 0)
  const isMetered = components.some((it) => it.priceMicros !== null)
  return {
    priceCents: cents(components.reduce((sum, it) => sum + it.priceCents, 0)),
    feeCents: cents(components.reduce((sum, it) => sum + it.feeCents, 0)),
    priceMicros: isMetered ? micros.reduce((sum, it) => sum + it, 0) : null,
  }
}
