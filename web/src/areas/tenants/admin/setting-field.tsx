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

/** Settings with a fixed set of values. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'services.unpaidRenewal': ['void', 'write_off'],
  'services.prorationMode': ['second', 'day'],
  'orders.withoutConsent': ['refuse', 'wait'],
  'affiliation.payments': ['first', 'recurring'],
  'affiliation.touch': ['last', 'first'],
}
const KINDS = ['checkout', 'upgrade', 'renewal', 'manual'] as const
const LISTS_OF_NUMBERS = new Set(['services.chargeDays', 'services.reminderDays'])
const SECRETS = new Set(['connections.discordClientSecret'])
const BASIS_POINTS = 100

type Props = {
  /** `group.field`, as the API names it. */
  readonly path: string
  readonly value: unknown
  readonly standard: unknown
  /** What is stored; secrets are masked in it. */
  readonly kept: unknown
  readonly mayWrite: boolean
  readonly error: string | undefined
  readonly change: (value: unknown) => void
}

/** The input of one setting, by its type, with the default next to a changed value. */
export function SettingField(props: Props) {
  const { path, value, standard, mayWrite, change } = props
  const { settings: texts } = useAdminTexts()
  const label = texts.labels[path] ?? path
  const isChanged = JSON.stringify(value ?? null) !== JSON.stringify(standard ?? null)
  const isSecret = SECRETS.has(path)
  return (
    <div className="row bottom setting">
      <div className="grow">
        <Input {...props} label={label} />
      </div>
      {isChanged && !isSecret && mayWrite ? (
        <IconAction
          label={texts.reset(label)}
          icon={I.RotateClockwise}
          variant="subtle"
          onClick={() => change(standard)}
        />
      ) : null}
    </div>
  )
}

function Input(props: Props & { label: string }) {
  const { path, value, standard, kept, label, error, change } = props
  const { settings: texts } = useAdminTexts()
  const description = useDefault(props)
  const shared = { label, description, error, disabled: !props.mayWrite, name: path }
  const choices = CHOICES[path]
  if (choices) {
    return (
      <Select
        {...shared}
        allowDeselect={false}
        value={String(value)}
        data={choices.map((it) => ({ value: it, label: texts.options[it] ?? it }))}
        onChange={change}
      />
    )
  }
  if (SECRETS.has(path)) {
    return (
      <PasswordInput
        {...shared}
        description={typeof kept === 'string' ? texts.kept(kept) : null}
        autoComplete="off"
        value={value === kept ? '' : String(value ?? '')}
        onChange={(event) => change(event.currentTarget.value || kept)}
      />
    )
  }
  if (typeof standard === 'boolean') {
    return (
      <Switch
        {...shared}
        checked={value === true}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    )
  }
  if (typeof standard === 'number') {
    const isRate = path.endsWith('BasisPoints')
    const scale = isRate ? BASIS_POINTS : 1
    return (
      <NumberField
        {...shared}
        {...unitOf(path, texts.units)}
        digits={isRate ? 2 : 0}
        value={Number(value) / scale}
        change={(number) => change(number === null ? standard : Math.round(number * scale))}
      />
    )
  }
  if (Array.isArray(standard)) return <ListInput {...props} {...shared} />
  if (typeof standard === 'object' && standard !== null) return <KindsInput {...props} />
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      value={String(value ?? '')}
      onChange={(event) => change(event.currentTarget.value || null)}
    />
  )
}

/** The default, shown next to a value that differs from it. */
function useDefault({ path, value, standard }: Props): string | null {
  const { settings: texts } = useAdminTexts()
  const { number } = useFormats()
  if (JSON.stringify(value ?? null) === JSON.stringify(standard ?? null)) return null
  if (typeof standard === 'boolean') return texts.standard(standard ? texts.on : texts.off)
  if (typeof standard === 'number') {
    return texts.standard(number(path.endsWith('BasisPoints') ? standard / BASIS_POINTS : standard))
  }
  if (Array.isArray(standard)) return texts.standard(standard.join(' ') || texts.empty)
  if (typeof standard === 'string') return texts.standard(texts.options[standard] ?? standard)
  return null
}

type Shared = { label: string; name: string; error: string | undefined; disabled: boolean }

function ListInput({
  path,
  value,
  change,
  description: _,
  ...shared
}: Props & Shared & { description?: string | null }) {
  const { settings: texts } = useAdminTexts()
  const list = Array.isArray(value) ? value : []
  const { label, name, error, disabled } = shared
  return (
    <TextInput
      {...{ label, name, error, disabled }}
      description={texts.list}
      autoComplete="off"
      defaultValue={list.join(' ')}
      key={list.join(' ')}
      onBlur={(event) => {
        const words = event.currentTarget.value.split(/[\s,]+/).filter(Boolean)
        const next = LISTS_OF_NUMBERS.has(path) ? words.map(Number) : words
        if (JSON.stringify(next) !== JSON.stringify(list)) change(next)
      }}
    />
  )
}

/** A value for each type of invoice; an empty one means the default. */
function KindsInput({ path, value, mayWrite, change }: Props) {
  const { settings: texts } = useAdminTexts()
  const kinds = (value ?? {}) as Readonly<Record<string, string>>
  const put = (kind: string, next: string | null) => {
    const others = Object.entries(kinds).filter(([name]) => name !== kind)
    change(Object.fromEntries(next ? [...others, [kind, next]] : others))
  }
  const isTime = path === 'billing.numberAt'
  return (
    <fieldset className="plain stack s8">
      <legend className="legend-label">{texts.labels[path]}</legend>
      <div className="grid cols-2">
        {KINDS.map((kind) =>
          isTime ? (
            <Select
              key={kind}
              label={texts.options[kind]}
              disabled={!mayWrite}
              clearable
              placeholder={texts.usual}
              value={kinds[kind] ?? null}
              data={['issue', 'payment'].map((it) => ({
                value: it,
                label: texts.options[it] ?? it,
              }))}
              onChange={(next) => put(kind, next)}
            />
          ) : (
            <TextInput
              key={kind}
              label={texts.options[kind]}
              disabled={!mayWrite}
              placeholder={texts.usual}
              autoComplete="off"
              value={kinds[kind] ?? ''}
              onChange={(event) => put(kind, event.currentTarget.value)}
            />
          ),
        )}
      </div>
    </fieldset>
  )
}

function unitOf(path: string, units: Readonly<Record<string, string>>): { unit?: string } {
  const ending = Object.keys(units).find((it) => path.endsWith(it))
  const unit = ending ? units[ending] : undefined
  return unit ? { unit } : {}
}
