import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  I,
  IconAction,
  MultiSelect,
  NumberField,
  Select,
  Switch,
  TextInput,
} from '../../../ui/index.ts'
import { locations } from '../../panel/admin/index.ts'
import { EffectFields } from './effect-fields.tsx'
import { NEW_VALUE, type OptionFields, type Value } from './option-fields.ts'
import type { ShopOption } from './reads.ts'

type Props = {
  readonly fields: OptionFields
  readonly set: (change: Partial<OptionFields>) => void
  /** Keys of values that are saved: they never change. */
  readonly saved: readonly string[]
  /** The other options of the group, some of whose values a value may require. */
  readonly others: readonly ShopOption[]
}

/** The values of an option, in their order: each with its stock and, if it has one, its own effect. */
export function OptionValues({ fields, set, saved, others }: Props) {
  const { options: texts } = useAdminTexts()
  const { values, kind, byDefault } = fields
  const isSelect = kind === 'select'
  const replace = (at: number, change: Partial<Value>) =>
    set({ values: values.map((it, index) => (index === at ? { ...it, ...change } : it)) })
  return (
    <fieldset className="plain stack">
      <legend className="legend-label">{texts.values}</legend>
      {values.map((value, index) => (
        // A value has no id before it is saved, and values do not move.
        // biome-ignore lint/suspicious/noArrayIndexKey: the key of a value is typed here
        <div key={index} className="stack s8">
          <div className="row bottom">
            <TextInput
              label={texts.valueKey(index + 1)}
              required
              readOnly={!isSelect || saved.includes(value.key)}
              value={value.key}
              onChange={({ currentTarget }) => replace(index, { key: currentTarget.value })}
            />
            <TextInput
              label={texts.valueLabel(index + 1)}
              required
              value={value.label}
              onChange={({ currentTarget }) => replace(index, { label: currentTarget.value })}
            />
            <NumberField
              name={`stock-${index}`}
              label={texts.valueStock(index + 1)}
              placeholder={texts.unlimited}
              value={value.stock}
              change={(stock) => replace(index, { stock })}
            />
            {isSelect ? (
              <IconAction
                label={texts.remove(value.label || value.key || String(index + 1))}
                icon={I.Trash}
                variant="subtle"
                onClick={() => set({ values: values.filter((it) => it !== value) })}
              />
            ) : null}
          </div>
          <EffectFields
            label={texts.effectOf(value.label || value.key || String(index + 1))}
            inherited={texts.likeOption}
            effect={value.effect}
            change={(effect) => replace(index, { effect })}
          />
          {kind === 'toggle' && value.key === 'off' ? null : (
            <Conditions value={value} others={others} change={(change) => replace(index, change)} />
          )}
        </div>
      ))}
      {isSelect ? (
        <div className="row bottom">
          <Button variant="default" onClick={() => set({ values: [...values, NEW_VALUE] })}>
            {texts.addValue}
          </Button>
          <Select
            label={texts.byDefault}
            clearable
            placeholder={texts.noDefault}
            value={byDefault || null}
            data={[...new Set(values.map(({ key }) => key).filter((key) => key !== ''))]}
            onChange={(key) => set({ byDefault: key ?? '' })}
          />
        </div>
      ) : null}
    </fieldset>
  )
}

type ConditionsProps = {
  readonly value: Value
  readonly others: readonly ShopOption[]
  readonly change: (change: Partial<Value>) => void
}

/** The conditions of a value: where it is sold, what it requires, and whether its units return to the stock. */
function Conditions({ value, others, change }: ConditionsProps) {
  const { options: texts } = useAdminTexts()
  const mayReadPlaces = useMay()('nodes:read')
  const places = useQuery({ ...locations, enabled: mayReadPlaces }).data?.data ?? []
  const { stock, stockReturns, locationIds, requires } = value
  const name = value.label || value.key
  const named = [...places, ...unknownAmong(locationIds, places)]
  // Initially open if there are conditions; afterwards the reader opens and closes it.
  const [isOpen] = useState(requires.length > 0 || locationIds.length > 0 || !stockReturns)
  return (
    <details className="more-fields" open={isOpen}>
      <summary>{texts.conditionsOf(name)}</summary>
      <div className="stack s8">
        {named.length > 0 ? (
          <MultiSelect
            searchable
            label={texts.soldAt(name)}
            description={texts.soldAtHint}
            value={[...locationIds]}
            data={named.map((it) => ({ value: it.id, label: it.name }))}
            onChange={(chosen) => change({ locationIds: chosen })}
          />
        ) : null}
        {others.map((other) => (
          <MultiSelect
            key={other.key}
            searchable
            label={texts.requires(name, other.name)}
            description={texts.requiresHint}
            value={[...(requires.find((it) => it.key === other.key)?.values ?? [])]}
            data={other.values
              .filter(({ archivedAt }) => archivedAt === null)
              .map(({ key, label }) => ({ value: key, label }))}
            onChange={(values) => {
              const rest = requires.filter((it) => it.key !== other.key)
              change({ requires: values.length > 0 ? [...rest, { key: other.key, values }] : rest })
            }}
          />
        ))}
        {stock === null ? null : (
          <Switch
            label={texts.stockReturns(name)}
            description={texts.stockReturnsHint}
            checked={stockReturns}
            onChange={({ currentTarget }) => change({ stockReturns: currentTarget.checked })}
          />
        )}
      </div>
    </details>
  )
}

/** Locations that are archived, or that this member of staff may not read: they stay chosen. */
function unknownAmong(ids: readonly string[], places: readonly { readonly id: string }[]) {
  const known = new Set(places.map(({ id }) => id))
  return ids.filter((id) => !known.has(id)).map((id) => ({ id, name: id.slice(-6) }))
}
