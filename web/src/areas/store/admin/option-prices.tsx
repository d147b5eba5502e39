import { useQuery } from '@tanstack/react-query'
import { boot } from '../../../api/boot.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { I, IconAction, MoneyField, NumberField, Select } from '../../../ui/index.ts'
import { type OptionFields, type OptionPrice, pricedOf } from './option-fields.ts'
import { type OptionGroup, products } from './reads.ts'

type Cycle = Pick<OptionPrice, 'interval' | 'intervalCount' | 'currency'>

/** A cycle as the value of a choice. */
const keyOf = ({ interval, intervalCount, currency }: Cycle) =>
  `${interval} ${intervalCount} ${currency}`

type Props = {
  readonly group: OptionGroup
  readonly fields: OptionFields
  readonly set: (change: Partial<OptionFields>) => void
}

/** What each value or tier costs, for each cycle and currency. */
export function OptionPrices({ group, fields, set }: Props) {
  const { options: texts } = useAdminTexts()
  const nameOf = useCycleName()
  const { prices } = fields
  const cycles = [...new Map(prices.map((it) => [keyOf(it), it])).values()]
  const offered = useCycles(group).filter((it) => !cycles.some((own) => keyOf(own) === keyOf(it)))
  const add = (key: string | null) => {
    const cycle = offered.find((it) => keyOf(it) === key)
    if (!cycle) return
    const priceMicros = cycle.interval === 'hour' ? 0 : null
    const rows = pricedOf(fields).map((it) => ({
      ...{ ...cycle, ...it, priceCents: 0, feeCents: 0, priceMicros },
    }))
    set({ prices: [...prices, ...rows] })
  }
  return (
    <fieldset className="plain stack">
      <legend className="legend-label">{texts.prices}</legend>
      <p className="sub">{texts.pricesHint}</p>
      {cycles.map((cycle) => (
        <CyclePrices
          key={keyOf(cycle)}
          cycle={cycle}
          name={nameOf(cycle)}
          fields={fields}
          set={set}
        />
      ))}
      <Select
        label={texts.addCycle}
        value={null}
        data={offered.map((it) => ({ value: keyOf(it), label: nameOf(it) }))}
        onChange={add}
      />
    </fieldset>
  )
}

/** A cycle and currency in words: `1 month, EUR`. */
export function useCycleName() {
  const { catalogue } = useAdminTexts()
  return ({ interval, intervalCount, currency }: Cycle) =>
    `${intervalCount > 1 ? `${intervalCount} × ` : ''}${catalogue.product.intervals[interval]}, ${currency}`
}

/** The cycles and currencies of the plans of a group's products; without plans, a month in the shop's currency. */
function useCycles({ productIds }: OptionGroup): readonly Cycle[] {
  const known = useQuery(products).data ?? []
  const cycles = known
    .filter(({ id }) => productIds.includes(id))
    .flatMap(({ plans }) => plans)
    .flatMap(({ interval, intervalCount, currency, prices }) =>
      [currency, ...prices.map((it) => it.currency)].map((it) => ({
        ...{ interval, intervalCount, currency: it },
      })),
    )
  const monthly: Cycle = { interval: 'month', intervalCount: 1, currency: boot.currency }
  const all = cycles.length > 0 ? cycles : [monthly]
  return [...new Map(all.map((it) => [keyOf(it), it])).values()]
}

type CycleProps = {
  readonly cycle: Cycle
  readonly name: string
  readonly fields: OptionFields
  readonly set: (change: Partial<OptionFields>) => void
}

function CyclePrices({ cycle, name, fields, set }: CycleProps) {
  const { options: texts } = useAdminTexts()
  const { prices } = fields
  const isHere = (it: OptionPrice) => keyOf(it) === keyOf(cycle)
  const { interval, intervalCount, currency } = cycle
  return (
    <section className="stack s8" aria-label={name}>
      <div className="row ends">
        <span className="strong grow">{name}</span>
        <IconAction
          label={texts.remove(name)}
          icon={I.Trash}
          variant="subtle"
          onClick={() => set({ prices: prices.filter((it) => !isHere(it)) })}
        />
      </div>
      {pricedOf(fields).map((priced) => {
        const isOf = (it: OptionPrice) =>
          isHere(it) && it.value === priced.value && it.tier === priced.tier
        const priceMicros = interval === 'hour' ? 0 : null
        const none = { ...priced, interval, intervalCount, currency, feeCents: 0, priceMicros }
        const price = prices.find(isOf)
        const put = (change: Partial<OptionPrice>) =>
          set({
            prices: price
              ? prices.map((it) => (isOf(it) ? { ...it, ...change } : it))
              : [...prices, { ...none, priceCents: 0, ...change }],
          })
        const what = nameOfPriced(fields, priced, texts)
        return (
          <div key={`${priced.value} ${priced.tier}`} className="grid cols-2">
            <MoneyField
              label={texts.price(what)}
              currency={currency}
              cents={price?.priceCents ?? null}
              onCents={(priceCents) =>
                priceCents === null
                  ? set({ prices: prices.filter((it) => !isOf(it)) })
                  : put({ priceCents })
              }
            />
            <MoneyField
              label={texts.fee(what)}
              currency={currency}
              cents={price?.feeCents ?? 0}
              onCents={(feeCents) => put({ feeCents: feeCents ?? 0 })}
            />
            {interval === 'hour' ? (
              <NumberField
                name={`micros-${priced.value}-${priced.tier}`}
                label={texts.hourly(what)}
                value={price?.priceMicros ?? 0}
                change={(micros) => put({ priceMicros: micros ?? 0 })}
              />
            ) : null}
          </div>
        )
      })}
    </section>
  )
}

type Priced = Pick<OptionPrice, 'value' | 'tier'>
type Texts = ReturnType<typeof useAdminTexts>['options']

/** The name of what has a price: a value, a tier, or each unit. */
export function nameOfPriced(
  { values, tiers, priceMode, min }: OptionFields,
  { value, tier }: Priced,
  texts: Texts,
): string {
  if (value !== null) return values.find((it) => it.key === value)?.label || value
  if (tier === null) return texts.itself
  if (priceMode === 'per_unit') return texts.each
  const before = tiers[tier - 1]
  return texts.tier(tier === 0 ? (min ?? 0) : (before ?? 0) + 1, tiers[tier] ?? null)
}
