import { useAdminTexts } from '../../../texts/admin.tsx'
import { NumberField, Select, TextInput } from '../../../ui/index.ts'
import type { OptionEffect } from './reads.ts'

const KINDS = ['none', 'resource', 'variable', 'image', 'startup'] as const
type Kind = (typeof KINDS)[number]

const RESOURCES = [
  ...(['memoryMb', 'diskMb', 'cpuPercent', 'swapMb'] as const),
  ...(['databases', 'backups', 'allocations', 'subdomains'] as const),
] as const

type Props = {
  readonly label: string
  readonly effect: OptionEffect | null
  readonly change: (effect: OptionEffect | null) => void
  /** The text for having no effect of its own; without it, having no effect is an effect itself. */
  readonly inherited?: string
}

function emptyOf(kind: Kind): OptionEffect {
  if (kind === 'resource') return { kind, amounts: {} }
  if (kind === 'variable') return { kind, env: '', template: '{value}' }
  return kind === 'none' ? { kind } : { kind, label: '' }
}

/** The effect of a choice on the server. */
export function EffectFields({ label, effect, change, inherited }: Props) {
  const { options: texts } = useAdminTexts()
  const kinds = KINDS.map((value) => ({ value: value as string, label: texts.effects[value] }))
  const data = inherited ? [{ value: '', label: inherited }, ...kinds] : kinds
  return (
    <div className="stack s8">
      <Select
        label={label}
        allowDeselect={false}
        value={effect?.kind ?? (inherited ? '' : 'none')}
        data={data}
        onChange={(value) => {
          const kind = KINDS.find((it) => it === value)
          change(kind ? emptyOf(kind) : null)
        }}
      />
      {effect ? <Terms label={label} effect={effect} change={change} /> : null}
    </div>
  )
}

type TermsProps = {
  readonly label: string
  readonly effect: OptionEffect
  readonly change: (effect: OptionEffect) => void
}

function Terms({ label, effect, change }: TermsProps) {
  const { options: texts } = useAdminTexts()
  if (effect.kind === 'none') return null
  if (effect.kind === 'resource') {
    return (
      <fieldset className="plain grid cols-2" aria-label={label}>
        {RESOURCES.map((resource) => (
          <NumberField
            key={resource}
            name={resource}
            label={texts.resources[resource]}
            value={effect.amounts[resource] ?? null}
            change={(amount) => {
              const { [resource]: _, ...others } = effect.amounts
              const amounts = amount === null ? others : { ...others, [resource]: amount }
              change({ kind: 'resource', amounts })
            }}
          />
        ))}
      </fieldset>
    )
  }
  if (effect.kind === 'variable') {
    return (
      <div className="grid cols-2">
        <TextInput
          label={texts.variable}
          required
          value={effect.env}
          onChange={({ currentTarget }) => change({ ...effect, env: currentTarget.value })}
        />
        <TextInput
          label={texts.template}
          description={texts.templateHint}
          value={effect.template}
          onChange={({ currentTarget }) => change({ ...effect, template: currentTarget.value })}
        />
      </div>
    )
  }
  return (
    <TextInput
      label={texts.label}
      required
      value={effect.label}
      onChange={({ currentTarget }) => change({ ...effect, label: currentTarget.value })}
    />
  )
}
