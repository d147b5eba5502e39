import { useQuery } from '@tanstack/react-query'
import { nodes } from '../../../api/admin-reads.ts'
import type { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormSection,
  MultiSelect,
  NumberField,
  Select,
  Switch,
  TextInput,
} from '../../../ui/index.ts'
import { type Egg, eggs, locations } from '../../panel/admin/index.ts'
import type { ProductFields } from './product-fields.ts'
import type { Product } from './reads.ts'

type Props = {
  readonly form: ReturnType<typeof useForm<ProductFields, Product>>
  /** The problems that prevent provisioning, by field. */
  readonly faults: Readonly<Record<string, string>>
}

/** The server settings, and the options that customers can choose. */
export function ServerSections({ form, faults }: Props) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const may = useMay()
  const games = useQuery({ ...eggs, enabled: may('nodes:read') }).data?.data ?? []
  const { fields } = form
  const egg = games.find(({ id }) => id === fields.eggId)
  if (fields.delivery !== 'server') return null
  return (
    <>
      <FormSection title={texts.server} help={texts.serverText}>
        <Limits form={form} faults={faults} games={games} />
      </FormSection>
      {egg ? (
        <>
          <Environment form={form} faults={faults} egg={egg} />
          <Choices form={form} egg={egg} />
        </>
      ) : null}
    </>
  )
}

type LimitsProps = Props & { readonly games: readonly Egg[] }

function Limits({ form, faults, games }: LimitsProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const may = useMay()
  const panels = useQuery({ ...nodes, enabled: may('nodes:read') }).data?.data ?? []
  const places = useQuery({ ...locations, enabled: may('nodes:read') }).data?.data ?? []
  const { fields, set, errors, choice, text } = form
  const number = (
    name: 'memoryMb' | 'cpuPercent' | 'diskMb' | 'databases' | 'backups' | 'allocations',
    label: string,
    more: { unit?: string; digits?: number } = {},
  ) => (
    <NumberField
      {...{ name, label, ...more }}
      value={fields[name]}
      error={errors[name] ?? faults[name]}
      required
      change={(value) => set({ [name]: value ?? 0 })}
    />
  )
  return (
    <>
      <Select
        {...choice('eggId')}
        label={texts.egg}
        searchable
        required
        error={errors.eggId ?? faults.eggId}
        data={games.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div className="grid cols-3">
        {number('memoryMb', texts.memory, { unit: texts.gigabytes, digits: 2 })}
        {number('cpuPercent', texts.cpu, {
          unit: texts.cores(Number(fields.cpuPercent)),
          digits: 2,
        })}
        {number('diskMb', texts.disk, { unit: texts.gigabytes, digits: 2 })}
      </div>
      <div className="grid cols-3">
        {number('databases', texts.databases)}
        {number('backups', texts.backups)}
        {number('allocations', texts.ports)}
      </div>
      <MultiSelect
        label={texts.panels}
        description={texts.panelsHint}
        value={[...fields.nodeIds]}
        error={errors.nodeIds ?? faults.nodeIds}
        data={panels.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(nodeIds) => set({ nodeIds })}
      />
      <MultiSelect
        label={texts.soldIn}
        description={texts.soldInHint}
        value={[...fields.locations]}
        error={errors.locations ?? faults.locations}
        data={places.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(locations) => set({ locations })}
      />
      {fields.locations.length === 0 ? (
        <TextInput
          {...text('locationIds')}
          label={texts.locations}
          description={texts.locationsHint}
          error={errors.locationIds ?? faults.locationIds}
          autoComplete="off"
        />
      ) : null}
    </>
  )
}

type EggProps = { readonly form: Props['form']; readonly egg: Egg }

function Environment({ form, faults, egg }: Props & EggProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { fields, set, errors } = form
  if (egg.variables.length === 0) return null
  return (
    <FormSection title={texts.environment} help={texts.environmentHint}>
      {egg.variables.map(({ env, name, default: standard, rules }) => (
        <TextInput
          key={env}
          name={env}
          label={name}
          description={<span className="mono">{env}</span>}
          placeholder={standard}
          error={errors[env] ?? faults[env]}
          value={fields.environment[env] ?? ''}
          required={rules.includes('required') && standard === '' && faults[env] !== undefined}
          autoComplete="off"
          onChange={(event) =>
            set({ environment: { ...fields.environment, [env]: event.currentTarget.value } })
          }
        />
      ))}
    </FormSection>
  )
}

function Choices({ form, egg }: EggProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const { fields, set, flag } = form
  const open = egg.variables.filter(({ editable }) => editable)
  const lock = (env: string, isLocked: boolean) =>
    set({
      lockedVariables: isLocked
        ? [...fields.lockedVariables, env]
        : fields.lockedVariables.filter((it) => it !== env),
    })
  return (
    <FormSection title={texts.choices} help={texts.choicesText}>
      {open.length === 0 ? <p className="sub">{texts.noChoices}</p> : null}
      {open.map(({ env, name }) => (
        <Switch
          key={env}
          label={name}
          description={<span className="mono">{env}</span>}
          checked={!fields.lockedVariables.includes(env)}
          onChange={(event) => lock(env, !event.currentTarget.checked)}
        />
      ))}
      {egg.dockerImages.length > 1 ? (
        <Switch {...flag('dockerImage')} label={texts.anyImage} />
      ) : null}
      {egg.startupCommands.length > 1 ? (
        <Switch {...flag('startup')} label={texts.anyStartup} />
      ) : null}
    </FormSection>
  )
}
