import { useState } from 'react'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Select, Switch, TextInput, useFormats } from '../../../ui/index.ts'
import { type OptionFields, pricedOf } from './option-fields.ts'
import { nameOfPriced, useCycleName } from './option-prices.tsx'

/** A preview of an option in the order form, with its prices. */
export function OptionPreview({ fields }: { fields: OptionFields }) {
  const { options: texts } = useAdminTexts()
  const { money } = useFormats()
  const cycleName = useCycleName()
  const priced = pricedOf(fields)
  const shown = fields.prices.filter((price) =>
    priced.some((it) => it.value === price.value && it.tier === price.tier),
  )
  return (
    <section className="stack s8" aria-label={texts.preview}>
      <span className="legend-label">{texts.preview}</span>
      <Control fields={fields} />
      {fields.description ? <p className="sub">{fields.description}</p> : null}
      <ul className="plain">
        {shown.map((price) => (
          <li key={`${price.value} ${price.tier} ${cycleName(price)}`} className="sub">
            {nameOfPriced(fields, price, texts)}:{' '}
            {price.priceCents === 0
              ? texts.free
              : texts.perPeriod(money(price.priceCents, price.currency), cycleName(price))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Control({ fields }: { fields: OptionFields }) {
  const { name, kind, min, max, step, unit, display, values, byDefault } = fields
  const [quantity, setQuantity] = useState<number | null>(null)
  if (kind === 'select') {
    return (
      <Select
        label={name}
        defaultValue={byDefault || null}
        data={values
          .filter((it, index) => it.key && values.findIndex(({ key }) => key === it.key) === index)
          .map(({ key, label }) => ({ value: key, label: label || key }))}
      />
    )
  }
  if (kind === 'toggle') return <Switch label={name} />
  if (kind === 'text') return <TextInput label={name} />
  const value = quantity ?? min ?? 0
  return (
    <label className="stack s8">
      <span>
        {name}: <span className="num">{value}</span> {unit}
      </span>
      <input
        type={display === 'slider' ? 'range' : 'number'}
        min={min ?? 0}
        max={max ?? 0}
        step={step ?? 1}
        value={value}
        onChange={({ currentTarget }) => setQuantity(Number(currentTarget.value))}
      />
    </label>
  )
}
