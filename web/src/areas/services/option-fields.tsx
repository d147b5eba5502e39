import type { components } from '@moorage/client'
import { useTexts } from '../../texts/index.tsx'
import { NumberField, Select, Switch, TextInput, useFormats } from '../../ui/index.ts'

export type ServiceOptions = components['schemas']['ServiceOptions']
type FormOption = ServiceOptions['options'][number]

/** The wanted values of the options that change, by their keys. */
export type Wish = Readonly<Record<string, string | number | boolean>>

/** The options of a form, and what each of them is before it changes. */
type Form = {
  readonly options: readonly FormOption[]
  readonly kept: readonly Pick<
    ServiceOptions['kept'][number],
    'key' | 'value' | 'quantity' | 'text'
  >[]
}

type FieldsProps = {
  readonly of: Form
  readonly wish: Wish
  readonly change: (wish: Wish) => void
}

/** The options that a service may have, each with its current value until it is changed. */
export function OptionFields({ of: { options, kept }, wish, change }: FieldsProps) {
  const set = (option: FormOption, value: string | number | boolean) => {
    const { [option.key]: _, ...others } = wish
    const isSame = value === hadOf(option, kept)
    change(isSame ? others : { ...others, [option.key]: value })
  }
  return (
    <div className="stack">
      {options.map((option) => (
        <OptionField
          key={option.key}
          option={option}
          value={wish[option.key] ?? hadOf(option, kept)}
          set={(value) => set(option, value)}
        />
      ))}
    </div>
  )
}

/** The current value of an option of a service, in the form in which it is chosen. */
function hadOf({ key, kind, min }: FormOption, kept: Form['kept']) {
  const had = kept.find((it) => it.key === key)
  if (kind === 'toggle') return had?.value === 'on'
  if (kind === 'quantity') return had?.quantity ?? Math.min(min ?? 0, 0)
  return (kind === 'text' ? had?.text : had?.value) ?? ''
}

type FieldProps = {
  readonly option: FormOption
  readonly value: string | number | boolean
  readonly set: (value: string | number | boolean) => void
}

function OptionField({ option, value, set }: FieldProps) {
  const { services } = useTexts()
  const { money } = useFormats()
  const { key, kind, name, description, unit, values, prices } = option
  const priceOf = (wanted: string | null) => {
    const price = prices.find((it) => it.value === wanted)
    return price && price.totalCents > 0 ? money(price.totalCents, price.currency) : ''
  }
  const field = { label: name, name: `option-${key}` }
  if (kind === 'toggle') {
    return (
      <Switch
        {...field}
        description={[priceOf('on'), description].filter(Boolean).join(' · ')}
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    )
  }
  if (kind === 'quantity') {
    const price = prices.length === 1 ? priceOf(null) : ''
    const per = price && unit ? `${price} / ${unit}` : price
    return (
      <NumberField
        {...field}
        description={[per, description].filter(Boolean).join(' · ')}
        value={typeof value === 'number' ? value : null}
        change={(number) => set(number ?? 0)}
        {...(unit && { unit })}
      />
    )
  }
  if (kind === 'text') {
    return (
      <TextInput
        {...field}
        description={description}
        value={String(value)}
        onChange={(event) => set(event.currentTarget.value)}
      />
    )
  }
  return (
    <Select
      {...field}
      description={description}
      allowDeselect={false}
      placeholder={services.optionNone}
      data={values.map((it) => ({
        value: it.key,
        label: [it.label, priceOf(it.key)].filter(Boolean).join(' · '),
        disabled: !it.available && it.key !== value,
      }))}
      value={value === '' ? null : String(value)}
      onChange={(chosen) => chosen !== null && set(chosen)}
    />
  )
}
