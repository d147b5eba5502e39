import type { components } from '@moorage/client'
import { boot } from '../../../api/boot.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  I,
  IconAction,
  NumberField,
  PasswordInput,
  Select,
  Switch,
  TextInput,
  useFormats,
} from '../../../ui/index.ts'
import { scaleOf } from './setting-rules.ts'

export type Field = components['schemas']['SettingField']

type Props = {
  /** The description of the setting by the API. */
  readonly field: Field
  readonly value: unknown
  readonly standard: unknown
  /** The stored value; secrets are masked in it. */
  readonly kept: unknown
  readonly mayWrite: boolean
  readonly error: string | undefined
  readonly change: (value: unknown) => void
}

/** The input of one setting, by its kind, with its description, its limits and its default. */
export function SettingField(props: Props) {
  const { field, value, standard, mayWrite, change } = props
  const { settings: texts } = useAdminTexts()
  const isChanged = JSON.stringify(value ?? null) !== JSON.stringify(standard ?? null)
  return (
    <div className="row bottom setting">
      <div className="grow">
        <Input {...props} />
      </div>
      {isChanged && field.kind !== 'secret' && mayWrite ? (
        <IconAction
          label={texts.reset(field.label)}
          icon={I.RotateClockwise}
          variant="subtle"
          onClick={() => change(standard)}
        />
      ) : null}
    </div>
  )
}

function Input(props: Props) {
  const { field, value, standard, kept, error, change } = props
  const { settings: texts } = useAdminTexts()
  const { label, path } = field
  const description = useDescription(props)
  const shared = { label, description, error, disabled: !props.mayWrite, name: path }
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          {...shared}
          allowDeselect={false}
          value={String(value)}
          data={field.options ?? []}
          onChange={change}
        />
      )
    case 'secret':
      return (
        <PasswordInput
          {...shared}
          description={typeof kept === 'string' ? texts.kept(kept) : description}
          autoComplete="off"
          value={value === kept ? '' : String(value ?? '')}
          onChange={(event) => change(event.currentTarget.value || kept)}
        />
      )
    case 'flag':
      return (
        <Switch
          {...shared}
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      )
    case 'number': {
      const scale = scaleOf(field)
      return (
        <NumberField
          {...shared}
          {...unitOf(field, texts.units)}
          digits={Math.round(Math.log10(scale))}
          value={Number(value) / scale}
          change={(number) => change(number === null ? standard : Math.round(number * scale))}
        />
      )
    }
    case 'numbers':
    case 'texts':
      return <ListInput {...props} description={`${description} ${texts.list}`} />
    case 'map':
      return <MapInput {...props} description={description} />
    default:
      return (
        <TextInput
          {...shared}
          autoComplete="off"
          value={String(value ?? '')}
          onChange={(event) => change(event.currentTarget.value || null)}
        />
      )
  }
}

/** The description of a setting, its limits, and its default next to a value that differs from it. */
function useDescription({ field, value, standard }: Props): string {
  const { settings: texts } = useAdminTexts()
  const { number } = useFormats()
  const { minimum, maximum, options } = field
  const shown = (it: number) => number(it / scaleOf(field))
  const isStandard = JSON.stringify(value ?? null) === JSON.stringify(standard ?? null)
  const inWords = (it: unknown): string | null => {
    if (typeof it === 'boolean') return it ? texts.on : texts.off
    if (typeof it === 'number') return shown(it)
    if (Array.isArray(it)) return it.join(' ') || texts.empty
    if (it === '') return texts.empty
    if (typeof it === 'string') return options?.find((one) => one.value === it)?.label ?? it
    return null
  }
  const usual = isStandard ? null : inWords(standard)
  return [
    field.description?.replace(/([^.])$/, '$1.'),
    minimum !== null && maximum !== null ? texts.range(shown(minimum), shown(maximum)) : null,
    usual === null ? null : texts.standard(usual),
  ]
    .filter(Boolean)
    .join(' ')
}

type DescribedProps = Props & { readonly description: string }

function ListInput({ field, value, change, error, mayWrite, description }: DescribedProps) {
  const list = Array.isArray(value) ? value : []
  return (
    <TextInput
      {...{ label: field.label, name: field.path, error, disabled: !mayWrite, description }}
      autoComplete="off"
      defaultValue={list.join(' ')}
      key={list.join(' ')}
      onBlur={(event) => {
        const words = event.currentTarget.value.split(/[\s,]+/).filter(Boolean)
        const next = field.kind === 'numbers' ? words.map((it) => numberOr(it)) : words
        if (JSON.stringify(next) !== JSON.stringify(list)) change(next)
      }}
    />
  )
}

/** Text that is not a number is returned unchanged, and is refused as a value. */
function numberOr(word: string): number | string {
  const number = Number(word)
  return Number.isFinite(number) ? number : word
}

/** A value for each member of a map; an empty one means the default. */
function MapInput({ field, value, error, mayWrite, change, description }: DescribedProps) {
  const { settings: texts } = useAdminTexts()
  const values = (value ?? {}) as Readonly<Record<string, string>>
  const put = (member: string, next: string | null) => {
    const others = Object.entries(values).filter(([name]) => name !== member)
    change(Object.fromEntries(next ? [...others, [member, next]] : others))
  }
  return (
    <fieldset className="plain stack s8">
      <legend className="legend-label">{field.label}</legend>
      <p className="sub">{description}</p>
      <div className="grid cols-2">
        {(field.members ?? []).map(({ value: member, label }) =>
          field.options ? (
            <Select
              key={member}
              label={label}
              disabled={!mayWrite}
              clearable
              placeholder={texts.usual}
              value={values[member] ?? null}
              data={field.options}
              onChange={(next) => put(member, next)}
            />
          ) : (
            <TextInput
              key={member}
              label={label}
              disabled={!mayWrite}
              placeholder={texts.usual}
              autoComplete="off"
              value={values[member] ?? ''}
              onChange={(event) => put(member, event.currentTarget.value)}
            />
          ),
        )}
      </div>
      {error ? (
        <p className="sub" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}

type Units = ReturnType<typeof useAdminTexts>['settings']['units']

function unitOf({ unit }: Field, units: Units): { unit?: string } {
  if (unit === null) return {}
  if (unit === 'cents') return { unit: boot.currency }
  return { unit: unit === 'basis_points' ? units.percent : units[unit] }
}
