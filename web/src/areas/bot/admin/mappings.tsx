import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  ConfirmButton,
  Empty,
  FormDialog,
  I,
  Listed,
  Select,
  TextInput,
  told,
} from '../../../ui/index.ts'
import { type Mapping, type Source, useSources } from './sources.ts'

const KEY = ['role-mappings'] as const
const SOURCES = ['active_service', 'product', 'plan', 'rbac_role', 'group'] as const

/** The conditions that give members a role on Discord. */
export function MappingsCard() {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('bot:write')
  const [editing, edit] = useState<Mapping | 'new' | null>(null)
  const list = useList<Mapping>(KEY, (where, signal) =>
    client.GET('/v1/admin/bot/role-mappings', { params: { query: where }, signal }),
  )
  return (
    <Card
      title={texts.mappings}
      right={
        mayWrite ? (
          <Button size="compact-sm" variant="default" onClick={() => edit('new')}>
            {texts.addMapping}
          </Button>
        ) : null
      }
    >
      <p className="sub">{texts.mappingsText}</p>
      <Listed list={list} empty={<Empty icon={I.Robot} title={texts.noMappings} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map((row) => (
              <Row key={row.id} mapping={row} edit={mayWrite ? () => edit(row) : null} />
            ))}
          </ul>
        )}
      </Listed>
      {editing ? (
        <MappingDialog mapping={editing === 'new' ? null : editing} close={() => edit(null)} />
      ) : null}
    </Card>
  )
}

function Row({ mapping, edit }: { mapping: Mapping; edit: (() => void) | null }) {
  const { integrations: texts } = useAdminTexts()
  const { id, source, sourceId, discordGuildId, discordRoleId } = mapping
  const known = useSources()[source]?.find(({ value }) => value === sourceId)?.label
  // The name of an archived object, or of one that the reader may not see, is not known.
  const name = [texts.mappingSources[source], known ?? sourceId?.slice(0, 8)]
    .filter(Boolean)
    .join(': ')
  return (
    <li>
      <span className="grow">
        {edit ? (
          <button type="button" className="plain-link strong" onClick={edit}>
            {name}
          </button>
        ) : (
          name
        )}
        <span className="sub block">{texts.mappedTo(discordRoleId, discordGuildId)}</span>
      </span>
      {edit ? (
        <ConfirmButton
          isDangerous
          size="compact-sm"
          variant="default"
          verb={texts.remove}
          label={texts.removeMapping(name)}
          title={texts.removeMapping(name)}
          call={() =>
            client.DELETE('/v1/admin/bot/role-mappings/{id}', { params: { path: { id } } })
          }
          changes={[KEY]}
          told={texts.mappingRemoved}
        >
          {texts.removeMappingText}
        </ConfirmButton>
      ) : null}
    </li>
  )
}

const fieldsOf = (it: Mapping | null) => ({
  source: it?.source ?? ('active_service' as Source),
  sourceId: it?.sourceId ?? '',
  discordGuildId: it?.discordGuildId ?? '',
  discordRoleId: it?.discordRoleId ?? '',
})

type DialogProps = { readonly mapping: Mapping | null; readonly close: () => void }

function MappingDialog({ mapping, close }: DialogProps) {
  const { integrations: texts } = useAdminTexts()
  const sources = useSources()
  const params = { path: { id: mapping?.id ?? '' } }
  const form = useForm({
    name: `role-mapping:${mapping?.id ?? 'new'}`,
    saved: fieldsOf(mapping),
    call: ({ source, sourceId, discordGuildId, discordRoleId }, intent) => {
      const body = {
        ...{ source, sourceId: sourceId || null },
        ...{ discordGuildId: discordGuildId.trim(), discordRoleId: discordRoleId.trim() },
      }
      return mapping
        ? client.PATCH('/v1/admin/bot/role-mappings/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/bot/role-mappings', { body, ...intent })
    },
    edits: mapping && {
      read: () => client.GET('/v1/admin/bot/role-mappings/{id}', { params }),
      fieldsOf,
    },
    changes: [KEY],
    done: () => {
      told(texts.mappingSaved)
      close()
    },
  })
  const { fields, set, text, choice } = form
  const offered = SOURCES.filter((it) => it in sources || it === fields.source)
  const isSpecific = fields.source !== 'active_service'
  return (
    <FormDialog
      title={mapping ? texts.editMapping : texts.addMapping}
      form={form}
      close={close}
      save={texts.save}
      isIncomplete={isSpecific && !fields.sourceId}
    >
      <Select
        {...choice('source')}
        label={texts.mappingSource}
        allowDeselect={false}
        data={offered.map((value) => ({ value, label: texts.mappingSources[value] }))}
        onChange={(value) => {
          const source = SOURCES.find((it) => it === value)
          if (source) set({ source, sourceId: '' })
        }}
      />
      {isSpecific ? (
        <Select
          {...choice('sourceId')}
          key={fields.source}
          label={texts.mappingObject}
          searchable
          required
          data={[...(sources[fields.source] ?? [])]}
        />
      ) : null}
      <TextInput
        {...text('discordGuildId')}
        label={texts.discordServer}
        description={texts.discordHint}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextInput
        {...text('discordRoleId')}
        label={texts.discordRole}
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}
