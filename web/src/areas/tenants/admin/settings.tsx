import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  Empty,
  Faulty,
  FormSection,
  I,
  LinkButton,
  Loaded,
  Page,
  SaveBar,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { type Field, SettingField } from './setting-field.tsx'
import { faultOf, scaleOf } from './setting-rules.ts'

type Settings = components['schemas']['Settings']
type Value = unknown

const settingsRead = read(['settings'], (signal) => client.GET('/v1/admin/settings', { signal }))

export function SettingsPage() {
  const { settings: texts } = useAdminTexts()
  const may = useMay()
  return (
    <Page title={texts.title} sub={texts.sub}>
      <div className="stack s24">
        {may('shop:read') ? (
          <Card title={texts.company}>
            <div className="row between wrap">
              <p className="dim">{texts.companyText}</p>
              <LinkButton to="/admin/settings/company" variant="default">
                {texts.company}
              </LinkButton>
            </div>
          </Card>
        ) : null}
        <Loaded query={useQuery(settingsRead)}>{(it) => <Form settings={it} />}</Loaded>
      </div>
    </Page>
  )
}

/** Maps `group.field` to its value. */
function flat(values: Settings['values']): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([group, fields]) =>
      Object.entries(fields).map(([name, value]) => [`${group}.${name}`, value]),
    ),
  )
}

/** Only changed settings are sent; null resets a setting to its default. */
function changesOf(wanted: Record<string, Value>, { values, defaults }: Settings) {
  const [before, standard] = [flat(values), flat(defaults)]
  const body: Record<string, Record<string, Value>> = {}
  for (const [path, value] of Object.entries(wanted)) {
    if (same(value, before[path])) continue
    const [group = '', name = ''] = path.split('.')
    body[group] = { ...body[group], [name]: same(value, standard[path]) ? null : value }
  }
  return body
}

function same(one: Value, other: Value): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

function fieldsOf({ values }: Settings) {
  return { values: flat(values) }
}

function Form({ settings }: { settings: Settings }) {
  const { settings: texts } = useAdminTexts()
  const mayWrite = useMay()('settings:write')
  const [wanted, search] = useState('')
  const saved = flat(settings.values)
  const standard = flat(settings.defaults)
  const form = useForm({
    name: 'settings',
    saved: fieldsOf(settings),
    call: ({ values }, intent) =>
      client.PATCH('/v1/admin/settings', { body: changesOf(values, settings) as never, ...intent }),
    edits: { read: () => client.GET('/v1/admin/settings'), fieldsOf },
    changes: [['settings'], ['meta']],
    done: () => told(texts.saved),
  })
  const { values } = form.fields
  const folded = wanted.trim().toLowerCase()
  const shown = settings.fields.filter(({ label, path, description }) =>
    `${label} ${path} ${description ?? ''}`.toLowerCase().includes(folded),
  )
  const groups = Map.groupBy(shown, ({ section }) => section)
  const faults = useFaults(settings, values)
  const save = () => {
    const [first] = Object.keys(faults)
    if (first === undefined) return form.save()
    const input = document.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)
    input?.focus()
    // Centred, so that the input is not behind the bar with the save button.
    input?.scrollIntoView({ block: 'center' })
  }
  return (
    <div>
      <div className="tools">
        <TextInput
          className="find"
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<I.Search size={16} stroke={1.75} aria-hidden />}
          value={wanted}
          onChange={(event) => search(event.currentTarget.value)}
        />
      </div>
      <Faulty fault={form.fault} />
      {groups.size === 0 ? <Empty icon={I.Search} title={texts.none} /> : null}
      {[...groups].map(([section, fields]) => (
        <FormSection key={section} title={fields[0]?.sectionLabel ?? section}>
          {fields.map((field) => {
            const { path } = field
            return (
              <SettingField
                key={path}
                {...{ field, mayWrite }}
                value={values[path]}
                standard={standard[path]}
                kept={saved[path]}
                error={faults[path] ?? form.errors[field.name]}
                change={(value) => form.set({ values: { ...values, [path]: value } })}
              />
            )
          })}
        </FormSection>
      ))}
      {mayWrite ? (
        <SaveBar
          isChanged={form.isChanged}
          isSaving={form.isSaving}
          save={save}
          discard={form.reset}
        />
      ) : null}
    </div>
  )
}

/** The error text of each invalid changed value: nothing is sent before it is corrected. */
function useFaults({ fields, values: saved }: Settings, values: Record<string, Value>) {
  const { settings: texts } = useAdminTexts()
  const { number } = useFormats()
  const before = flat(saved)
  const inWords = (field: Field): string | null => {
    const shown = (limit: number | null) => number((limit ?? 0) / scaleOf(field))
    const fault = faultOf(field, values[field.path])
    if (fault === null) return null
    return {
      integer: texts.notInteger,
      range: texts.outOfRange(shown(field.minimum), shown(field.maximum)),
      items: texts.tooMany(number(field.maximumItems ?? 0)),
      form: texts.notAllowed,
    }[fault]
  }
  const changed = fields.filter(({ path }) => !same(values[path], before[path]))
  return Object.fromEntries(
    changed.flatMap((field) => {
      const said = inWords(field)
      return said === null ? [] : [[field.path, said] as const]
    }),
  )
}
