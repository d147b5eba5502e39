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
} from '../../../ui/index.ts'
import { SettingField } from './setting-field.tsx'

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

/** `group.field` to its value. */
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
  const shown = Object.keys(saved).filter((path) =>
    `${texts.labels[path] ?? path} ${path}`.toLowerCase().includes(folded),
  )
  const groups = [...new Set(shown.map((path) => path.split('.')[0] ?? ''))]
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
      {groups.length === 0 ? <Empty icon={I.Search} title={texts.none} /> : null}
      {groups.map((group) => (
        <FormSection key={group} title={texts.groups[group] ?? group}>
          {shown
            .filter((path) => path.startsWith(`${group}.`))
            .map((path) => (
              <SettingField
                key={path}
                {...{ path, mayWrite }}
                value={values[path]}
                standard={standard[path]}
                kept={saved[path]}
                error={form.errors[path.split('.')[1] ?? '']}
                change={(value) => form.set({ values: { ...values, [path]: value } })}
              />
            ))}
        </FormSection>
      ))}
      {mayWrite ? (
        <SaveBar
          isChanged={form.isChanged}
          isSaving={form.isSaving}
          save={form.save}
          discard={form.reset}
        />
      ) : null}
    </div>
  )
}
