import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Choice,
  Faulty,
  PasswordInput,
  SegmentedControl,
  Switch,
  TextInput,
  told,
} from '../../../ui/index.ts'
import type { Gateway, GatewayDriver } from './reads.ts'

type Field = GatewayDriver['fields'][number]

const CHANGES = [['gateways'], ['admin', 'readiness'], ['meta']] as const

type NewProps = {
  readonly drivers: readonly GatewayDriver[]
  readonly done: (gateway: Gateway) => void
}

/** A new gateway: first the provider, then the settings of that provider. */
export function NewGateway({ drivers, done }: NewProps) {
  const { moneyRules } = useAdminTexts()
  const { gateways: texts } = moneyRules
  const [chosen, choose] = useState(drivers[0]?.driver ?? '')
  const driver = drivers.find((it) => it.driver === chosen)
  return (
    <div className="stack s24 form-width">
      <Choice
        name="driver"
        label={texts.provider}
        value={chosen}
        change={choose}
        options={drivers.map(({ driver: value }) => ({
          value,
          title: texts.providers[value] ?? value,
          hint: texts.providerTexts[value],
        }))}
      />
      {driver ? <GatewayForm key={chosen} driver={driver} gateway={null} done={done} /> : null}
    </div>
  )
}

type FormProps = {
  readonly driver: GatewayDriver
  /** The gateway to change; without it, a new one is created. */
  readonly gateway: Gateway | null
  readonly done: (gateway: Gateway) => void
}

/** A form generated from the settings of the driver; secrets are entered and never shown again. */
export function GatewayForm({ driver, gateway, done }: FormProps) {
  const { moneyRules } = useAdminTexts()
  const { gateways: texts } = moneyRules
  const { testable, fields } = driver
  const secrets = fields.filter(({ place }) => place === 'secrets')
  const settings = fields.filter(({ place }) => place === 'settings')
  const usualName = texts.names[driver.driver] ?? texts.providers[driver.driver] ?? driver.driver
  const fieldsOf = (it: Gateway | null) =>
    ({
      name: it?.name ?? usualName,
      mode: it?.mode ?? (testable ? 'test' : 'live'),
      enabled: it?.enabled ?? true,
      ...Object.fromEntries(settings.map(({ name }) => [name, written(it?.settings[name])])),
    }) as Fields
  const params = { path: { id: gateway?.id ?? '' } }
  const form = useForm({
    name: `gateway:${gateway?.id ?? driver.driver}`,
    saved: fieldsOf(gateway),
    secrets: Object.fromEntries(secrets.map(({ name }) => [name, ''])),
    call: (wanted, intent) => {
      const body = bodyOf(wanted, driver)
      if (gateway) return client.PATCH('/v1/admin/gateways/{id}', { params, body, ...intent })
      const { mode } = wanted
      return client.POST('/v1/admin/gateways', {
        body: { ...body, driver: driver.driver, mode },
        ...intent,
      })
    },
    edits: gateway && { read: () => client.GET('/v1/admin/gateways/{id}', { params }), fieldsOf },
    changes: CHANGES,
    done: (saved) => {
      told(texts.saved)
      done(saved)
    },
  })
  const inputs = (wanted: readonly Field[]) =>
    wanted.map((field) => {
      const hint = gateway?.secrets[field.name]
      const given = form.text(field.name)
      const shared = {
        ...given,
        label: texts.fields[field.name] ?? field.name,
        description: hint ? texts.keepSecret(hint) : hintOf(field, texts),
        required: field.required && !hint,
        autoComplete: 'off',
      }
      return field.place === 'secrets' ? (
        <PasswordInput key={field.name} {...shared} />
      ) : (
        <TextInput key={field.name} {...shared} />
      )
    })
  const optional = fields.filter(({ required }) => !required)
  return (
    <form className="stack" onSubmit={form.submit}>
      <Faulty fault={form.fault} />
      {testable && !gateway ? (
        <div className="stack s4">
          <span className="legend-label" id="gateway-mode">
            {texts.mode}
          </span>
          <SegmentedControl
            aria-labelledby="gateway-mode"
            value={form.fields.mode}
            data={(['test', 'live'] as const).map((value) => ({
              value,
              label: texts.modes[value],
            }))}
            onChange={(mode) => form.set({ mode: mode === 'live' ? 'live' : 'test' })}
          />
          <span className="sub">{texts.modeTexts[form.fields.mode]}</span>
        </div>
      ) : null}
      {inputs(fields.filter(({ required }) => required))}
      <TextInput {...form.text('name')} label={texts.name} required autoComplete="off" />
      {optional.length > 0 ? (
        <details className="more-fields">
          <summary>{texts.optional}</summary>
          <div className="stack">{inputs(optional)}</div>
        </details>
      ) : null}
      {gateway ? (
        <Switch {...form.flag('enabled')} label={texts.enabled} description={texts.enabledHint} />
      ) : null}
      <div className="row">
        <Button type="submit" loading={form.isSaving}>
          {texts.create}
        </Button>
      </div>
    </form>
  )
}

type Fields = { name: string; mode: 'test' | 'live'; enabled: boolean } & Record<string, unknown>
type Texts = ReturnType<typeof useAdminTexts>['moneyRules']['gateways']

function hintOf({ name, example, kind }: Field, texts: Texts): string | null {
  const hint = texts.fieldHints[name]
  if (kind === 'list' || !example) return hint ?? null
  return [hint, texts.example(example)].filter(Boolean).join(' ')
}

function written(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : ''
}

/** An empty field is left out; an empty secret stays as it is. */
function bodyOf(wanted: Fields, { fields }: GatewayDriver) {
  const typed = (place: Field['place']) =>
    fields
      .filter((field) => field.place === place && String(wanted[field.name] ?? '').trim() !== '')
      .map(({ name, kind }) => [name, String(wanted[name]).trim(), kind] as const)
  return {
    ...{ name: wanted.name.trim(), enabled: wanted.enabled },
    settings: Object.fromEntries(
      typed('settings').map(([name, text, kind]) => [
        name,
        kind === 'list' ? text.split(/[\s,]+/) : text,
      ]),
    ),
    secrets: Object.fromEntries(typed('secrets').map(([name, text]) => [name, text])),
  }
}
