import type { components } from '@moorage/client'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { useTexts } from '../../../../texts/index.tsx'
import { Select, TextInput, useFormats } from '../../../../ui/index.ts'
import { OptionFields } from '../../../services/option-fields.tsx'
import { perPeriod } from '../../../services/period.ts'
import type { OrderFields } from './order.tsx'

type Product = components['schemas']['OrderableProduct']
type Option = components['schemas']['OrderFormOption']

type Props = {
  readonly product: Product
  readonly fields: OrderFields
  readonly set: (change: Partial<OrderFields>) => void
  readonly errors: Readonly<Record<string, string>>
}

/** The fields of an order that depend on its product: plan, location, options and variables. */
export function OrderedPlan({ product: { plans, orderForm }, fields, set, errors }: Props) {
  const { orders } = useAdminTexts()
  const texts = useTexts()
  const { money } = useFormats()
  const { planId, locationId, environment, name } = fields
  const plan = plans.find(({ id }) => id === planId)
  const options = orderForm.options.map((option) => ({
    ...option,
    prices: option.prices.filter(
      (it) =>
        it.interval === plan?.interval &&
        it.intervalCount === plan.intervalCount &&
        it.currency === plan.currency,
    ),
  }))
  return (
    <>
      <Select
        name="planId"
        label={orders.plan}
        required
        allowDeselect={false}
        value={planId || null}
        error={errors.planId}
        data={plans.map((it) => ({
          value: it.id,
          label: `${it.name} · ${money(it.priceCents, it.currency)} ${perPeriod(it, texts)}`,
        }))}
        onChange={(id) => set({ planId: id ?? '' })}
      />
      {orderForm.locations.length > 1 ? (
        <Select
          name="locationId"
          label={orders.location}
          required
          allowDeselect={false}
          value={locationId || null}
          data={orderForm.locations.map((it) => ({ value: it.id, label: it.name }))}
          onChange={(id) => set({ locationId: id ?? '' })}
        />
      ) : null}
      {plan ? (
        <OptionFields
          of={{ options, kept: options.map(byDefault) }}
          wish={fields.options}
          change={(wish) => set({ options: wish })}
        />
      ) : null}
      {orderForm.variables.map((it) => (
        <TextInput
          key={it.env}
          name={`environment-${it.env}`}
          label={it.name}
          description={it.description}
          placeholder={it.default}
          required={it.required}
          value={environment[it.env] ?? ''}
          onChange={(event) => {
            const { [it.env]: _, ...others } = environment
            const { value } = event.currentTarget
            set({ environment: value === '' ? others : { ...others, [it.env]: value } })
          }}
        />
      ))}
      <TextInput
        name="name"
        label={orders.serviceName}
        maxLength={100}
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
    </>
  )
}

/** What an option has where the buyer chooses nothing. */
function byDefault({ key, kind, values, min }: Option) {
  const value = values.find((it) => it.default)?.key ?? null
  return { key, value, quantity: kind === 'quantity' ? (min ?? 0) : null, text: null }
}
