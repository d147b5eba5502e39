import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { FormDialog, Select, TextInput, told } from '../../../ui/index.ts'
import { MAPPINGS, type Mapping, type Source, useSources } from './sources.ts'

const SOURCES = ['active_service', 'product', 'plan', 'rbac_role', 'group'] as const

const fieldsOf = (it: Mapping | null) => ({
  source: it?.source ?? ('active_service' as Source),
  sourceId: it?.sourceId ?? '',
  discordGuildId: it?.discordGuildId ?? '',
  discordRoleId: it?.discordRoleId ?? '',
})

type DialogProps = { readonly mapping: Mapping | null; readonly close: () => void }

/** Creates or changes a condition that gives members a role on Discord. */
export function MappingDialog({ mapping, close }: DialogProps) {
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
    changes: [MAPPINGS],
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
