import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  FormDialog,
  I,
  IconAction,
  NumberField,
  RemoveButton,
  Select,
  Switch,
  Textarea,
  TextInput,
  told,
} from '../../../ui/index.ts'
import { EffectFields } from './effect-fields.tsx'
import { bodyOf, fieldsOf, labelKey, NEW_VALUE, type OptionFields } from './option-fields.ts'
import { OptionPreview } from './option-preview.tsx'
import { OptionPrices } from './option-prices.tsx'
import { OptionValues } from './option-values.tsx'
import { type OptionGroup, optionsOf, type ShopOption } from './reads.ts'
import { LanguageFields } from './translations.tsx'

const KINDS = ['quantity', 'select', 'toggle', 'text'] as const
const DISPLAYS = ['slider', 'number'] as const
const MODES = ['per_unit', 'graduated', 'volume'] as const

type Props = {
  readonly group: OptionGroup
  readonly option: ShopOption | null
  readonly close: () => void
}

/** An option of a group: its question, its prices, its effect on the server. */
export function OptionDialog({ group, option, close }: Props) {
  const { options: texts } = useAdminTexts()
  const params = { path: { id: option?.id ?? '' } }
  const form = useForm({
    name: `option:${option?.id ?? `new:${group.id}`}`,
    saved: fieldsOf(option),
    call: (wanted, intent) => {
      const body = bodyOf(wanted, option)
      const { key, kind } = wanted
      return option
        ? client.PATCH('/v1/admin/options/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/options', {
            body: { ...body, groupId: group.id, key: key.trim(), kind },
            ...intent,
          })
    },
    edits: option && { read: () => client.GET('/v1/admin/options/{id}', { params }), fieldsOf },
    changes: [['options'], ['products']],
    done: () => {
      told(texts.savedOption)
      close()
    },
  })
  const { fields, set, text, choice, flag } = form
  const { kind } = fields
  const saved = option?.values.map(({ key }) => key) ?? []
  const inGroup = useQuery(optionsOf(group.id)).data ?? []
  const others = inGroup.filter((it) => it.id !== option?.id && it.values.length > 0)
  return (
    <FormDialog
      title={option ? option.name : texts.addOptionTo(group.name)}
      form={form}
      close={close}
      save={texts.save}
      atSide
      removal={option ? <Removal option={option} close={close} /> : null}
    >
      {option ? null : (
        <Select
          {...choice('kind')}
          label={texts.kind}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={(value) => {
            const chosen = KINDS.find((it) => it === value) ?? 'quantity'
            set({ kind: chosen, values: valuesOf(chosen), prices: [] })
          }}
        />
      )}
      <TextInput {...text('name')} label={texts.name} required data-autofocus />
      {option ? null : (
        <TextInput {...text('key')} label={texts.key} description={texts.keyHint} required />
      )}
      <Textarea {...text('description')} label={texts.description} autosize minRows={1} />
      {kind === 'quantity' ? <QuantityFields form={form} /> : null}
      {kind === 'text' ? (
        <div className="grid cols-2">
          <NumberField
            name="maxLength"
            label={texts.maxLength}
            value={fields.maxLength}
            error={form.errors.maxLength}
            change={(maxLength) => set({ maxLength })}
          />
          <TextInput {...text('pattern')} label={texts.pattern} description={texts.patternHint} />
        </div>
      ) : null}
      {kind === 'select' || kind === 'toggle' ? (
        <OptionValues fields={fields} set={set} saved={saved} others={others} />
      ) : null}
      <OptionPrices group={group} fields={fields} set={set} />
      <EffectFields
        label={texts.effect}
        effect={fields.effect}
        change={(effect) => set({ effect })}
      />
      {kind === 'select' || kind === 'text' ? (
        <Switch {...flag('required')} label={texts.required} />
      ) : null}
      <Switch {...flag('hidden')} label={texts.hidden} />
      <Switch {...flag('trial')} label={texts.trial} />
      <Languages fields={fields} set={set} />
      <OptionPreview fields={fields} />
    </FormDialog>
  )
}

function valuesOf(kind: OptionFields['kind']): OptionFields['values'] {
  if (kind === 'select') return [NEW_VALUE]
  if (kind !== 'toggle') return []
  return [
    { ...NEW_VALUE, key: 'off', label: 'Off' },
    { ...NEW_VALUE, key: 'on', label: 'On' },
  ]
}

type FieldsProps = {
  readonly form: Pick<
    ReturnType<typeof useForm<OptionFields, ShopOption>>,
    'fields' | 'set' | 'text' | 'choice' | 'errors'
  >
}

function QuantityFields({ form }: FieldsProps) {
  const { options: texts } = useAdminTexts()
  const { fields, set, text, choice, errors } = form
  return (
    <>
      <div className="grid cols-2">
        {(['min', 'max', 'step'] as const).map((field) => (
          <NumberField
            key={field}
            name={field}
            label={texts[field]}
            value={fields[field]}
            error={errors[field]}
            required
            change={(number) => set({ [field]: number })}
          />
        ))}
        <TextInput {...text('unit')} label={texts.unit} />
        <Select
          {...choice('display')}
          label={texts.display}
          allowDeselect={false}
          data={DISPLAYS.map((value) => ({ value, label: texts.displays[value] }))}
        />
        <Select
          {...choice('priceMode')}
          label={texts.priceMode}
          allowDeselect={false}
          data={MODES.map((value) => ({ value, label: texts.priceModes[value] }))}
          onChange={(value) => {
            const priceMode = MODES.find((it) => it === value) ?? 'per_unit'
            set({ priceMode, ...(priceMode === 'per_unit' && { tiers: [null] }) })
          }}
        />
      </div>
      {fields.priceMode === 'per_unit' ? null : <Tiers tiers={fields.tiers} set={set} />}
    </>
  )
}

/** The texts of an option and its values in the languages of buyers. */
function Languages({ fields, set }: Pick<FieldsProps['form'], 'fields' | 'set'>) {
  const { options: texts, catalogue } = useAdminTexts()
  const { kind, values, translations } = fields
  const labels = values.filter(({ key }) => key !== '')
  const isQuantity = kind === 'quantity'
  const [isOpen] = useState(Object.keys(translations).length > 0)
  return (
    <details className="more-fields" open={isOpen}>
      <summary>{texts.languages}</summary>
      <div className="stack s8">
        <LanguageFields
          value={translations}
          change={(changed) => set({ translations: changed })}
          fields={[
            { key: 'name', label: catalogue.translations.name, maxLength: 100 },
            {
              ...{ key: 'description', label: catalogue.translations.description },
              ...{ maxLength: 1000, isLong: true },
            },
            ...(isQuantity ? [{ key: 'unit', label: texts.unitThere, maxLength: 20 }] : []),
            ...labels.map(({ key, label }) => ({
              ...{ key: labelKey(key), label: texts.labelThere(label || key), maxLength: 100 },
            })),
          ]}
        />
      </div>
    </details>
  )
}

type TiersProps = {
  readonly tiers: OptionFields['tiers']
  readonly set: (change: Partial<OptionFields>) => void
}

/** The upper limits of all tiers except the last, which has none. */
function Tiers({ tiers, set }: TiersProps) {
  const { options: texts } = useAdminTexts()
  const ends = tiers.slice(0, -1)
  return (
    <fieldset className="plain stack s8">
      <legend className="legend-label">{texts.tiers}</legend>
      {ends.map((upTo, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tier is known by its place
        <div key={index} className="row bottom">
          <NumberField
            name={`tier-${index}`}
            label={texts.upTo(index + 1)}
            value={upTo}
            change={(end) => set({ tiers: tiers.map((it, at) => (at === index ? end : it)) })}
          />
          <IconAction
            label={texts.remove(texts.upTo(index + 1))}
            icon={I.Trash}
            variant="subtle"
            onClick={() => set({ tiers: tiers.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <div>
        <Button
          variant="default"
          onClick={() => set({ tiers: [...ends, (ends.at(-1) ?? 0) + 10, null] })}
        >
          {texts.addTier}
        </Button>
      </div>
    </fieldset>
  )
}

function Removal({ option, close }: { option: ShopOption; close: () => void }) {
  const { options: texts } = useAdminTexts()
  return (
    <RemoveButton
      verb={texts.archive}
      title={texts.archiveTitle(option.name)}
      call={() => client.DELETE('/v1/admin/options/{id}', { params: { path: { id: option.id } } })}
      changes={[['options'], ['products']]}
      told={texts.archivedTold}
      done={close}
    >
      {texts.archiveText}
    </RemoveButton>
  )
}
