import { cents } from '#lib/money.ts'
import type { Cycle } from '#lib/periods.ts'
import type {
  Effect,
  OptionTerms,
  OptionValue,
  PriceRow,
} from '../../src/areas/store/options/terms.ts'

export const MONTHLY = { interval: 'month', intervalCount: 1, currency: 'EUR' } as const

type Priced = Partial<Cycle & Omit<PriceRow, 'priceCents' | 'feeCents'>>

/** A price row, by default of a month in euros. */
export function row(priceCents: number, of: Priced = {}, feeCents = 0): PriceRow {
  const plain = { ...MONTHLY, value: null, tier: null, priceMicros: null }
  return { ...plain, ...of, priceCents: cents(priceCents), feeCents: cents(feeCents) }
}

/** A value of a select or toggle. */
export function value(key: string, more: Partial<OptionValue> = {}): OptionValue {
  return {
    ...{ id: `value-${key}`, key, label: key, isDefault: false, stock: null, stockReturns: true },
    ...{ locationIds: [], requires: [], effect: null, archivedAt: null },
    ...more,
  }
}

/** An option with the fields that matter. */
export function option(key: string, more: Partial<OptionTerms>): OptionTerms {
  return {
    ...{ id: `option-${key}`, key, kind: 'select', name: key, required: false, hidden: false },
    ...{ trial: true, unit: null, min: null, max: null, step: null, priceMode: null },
    ...{ maxLength: null, pattern: null, effect: null, values: [], tiers: [], prices: [] },
    archivedAt: null,
    ...more,
  }
}

/** A quantity with tiers, as `[upTo, priceCents]`. */
export function tiered(
  key: string,
  priceMode: NonNullable<OptionTerms['priceMode']>,
  tiers: readonly (readonly [number | null, number])[],
  more: Partial<OptionTerms> = {},
): OptionTerms {
  return option(key, {
    ...{ kind: 'quantity', min: 0, max: 1000, step: 1, priceMode },
    tiers: tiers.map(([upTo]) => ({ upTo })),
    prices: tiers.map(([, priceCents], tier) => row(priceCents, { tier })),
    ...more,
  })
}

const gigabytes: Effect = { kind: 'resource', amounts: { memoryMb: 1024 } }

/** The options of the standard catalogue: their prices are those of the worked examples. */
export const catalogue = {
  memory: tiered('memory', 'per_unit', [[null, 150]], {
    ...{ name: 'Memory', unit: 'GB', max: 32, effect: gigabytes },
    prices: [
      row(150, { tier: 0 }),
      row(1500, { tier: 0, interval: 'year' }),
      row(150, { tier: 0, interval: 'hour', priceMicros: 2000 }),
    ],
  }),
  slots: tiered(
    'slots',
    'graduated',
    [
      [20, 10],
      [50, 8],
      [null, 5],
    ],
    { min: 10, max: 100 },
  ),
  disk: tiered('disk', 'volume', [
    [50, 4],
    [200, 3],
    [null, 2],
  ]),
  backups: option('backups', {
    values: [value('none', { isDefault: true }), value('daily'), value('hourly')],
    prices: [
      row(0, { value: 'none' }),
      row(200, { value: 'daily' }),
      row(500, { value: 'hourly' }),
    ],
  }),
  ip: option('ip', {
    kind: 'toggle',
    values: [value('off'), value('on', { stock: 20 })],
    prices: [row(300, { value: 'on' }, 500)],
  }),
}
