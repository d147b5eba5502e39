import { hasTierCliff } from './prices.ts'
import type { OptionRow } from './queries.ts'
import type { Option } from './schema.ts'

/** An option as administrators see it. */
export function optionView({ values, tiers, prices, ...option }: OptionRow): Option {
  const isCliff = hasTierCliff({ ...option, values, tiers, prices })
  return {
    ...option,
    values: values.map(({ isDefault, locationIds, requires, ...value }) => ({
      ...value,
      default: isDefault,
      locationIds: [...locationIds],
      requires: requires.map((it) => ({ key: it.key, values: [...it.values] })),
    })),
    tiers: [...tiers],
    prices: [...prices],
    warnings: isCliff ? ['tier_cliff'] : [],
  }
}
