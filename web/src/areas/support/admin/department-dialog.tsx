import type { components } from '@moorage/client'
import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormDialog,
  MultiSelect,
  NumberField,
  RemoveButton,
  Select,
  Switch,
  TextInput,
  told,
} from '../../../ui/index.ts'
import { CHANGES } from './reads.ts'

export type Department = components['schemas']['Department']

const groups = read(['groups', 'first'], (signal) =>
  client.GET('/v1/admin/rbac/groups', { params: { query: { limit: 100 } }, signal }),
)

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

type Fields = {
  readonly [name in Locale]: string
} & {
  readonly position: number
  readonly isOffered: boolean
  readonly defaultPriority: string
  readonly groupIds: readonly string[]
}

function fieldsOf(department: Department | null): Fields {
  const names = Object.fromEntries(
    LOCALES.map((locale) => [locale, department?.names[locale] ?? '']),
  ) as { readonly [name in Locale]: string }
  return {
    ...names,
    position: department?.position ?? 0,
    isOffered: department?.visibility !== 'staff',
    defaultPriority: department?.defaultPriority ?? 'normal',
    groupIds: department?.groupIds ?? [],
  }
}

type DialogProps = { readonly department: Department | null; readonly close: () => void }

/** A department: its names, the staff who see its tickets, and whether customers can choose it. */
export function DepartmentDialog({ department, close }: DialogProps) {
  const { tickets } = useAdminTexts()
  const mayReadGroups = useMay()('rbac:read')
  const known = useQuery({ ...groups, enabled: mayReadGroups }).data?.data ?? []
  const params = { path: { id: department?.id ?? '' } }
  const form = useForm({
    name: `department:${department?.id ?? 'new'}`,
    saved: fieldsOf(department),
    call: ({ position, isOffered, defaultPriority, groupIds, ...fields }, intent) => {
      const written = LOCALES.flatMap((locale) => {
        const name = fields[locale].trim()
        return name ? [[locale, name] as const] : []
      })
      const body = {
        names: Object.fromEntries(written),
        ...({ position, visibility: isOffered ? 'customers' : 'staff' } as const),
        groupIds: [...groupIds],
        defaultPriority: PRIORITIES.find((it) => it === defaultPriority) ?? 'normal',
      }
      return department
        ? client.PATCH('/v1/admin/departments/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/departments', { body, ...intent })
    },
    edits: department && {
      read: () => client.GET('/v1/admin/departments/{id}', { params }),
      fieldsOf,
    },
    changes: CHANGES,
    done: () => {
      told(tickets.saved)
      close()
    },
  })
  const { fields, set, text, choice, flag, errors } = form
  return (
    <FormDialog
      atSide
      title={department ? department.name : tickets.addDepartment}
      form={form}
      close={close}
      save={tickets.save}
      isIncomplete={LOCALES.every((locale) => fields[locale].trim() === '')}
      removal={
        department ? (
          <RemoveButton
            verb={tickets.archive}
            label={tickets.archive}
            title={tickets.archiveTitle(department.name)}
            call={() => client.DELETE('/v1/admin/departments/{id}', { params })}
            changes={CHANGES}
            told={tickets.isArchived}
          >
            {tickets.archiveText}
          </RemoveButton>
        ) : null
      }
    >
      <fieldset className="plain stack">
        <legend className="legend-label">{tickets.name}</legend>
        <p className="sub">{tickets.namesHint}</p>
        <div className="grid cols-2">
          {LOCALES.map((locale) => (
            <TextInput
              key={locale}
              {...text(locale)}
              label={languageName(locale)}
              lang={locale}
              maxLength={100}
            />
          ))}
        </div>
      </fieldset>
      {mayReadGroups ? (
        <MultiSelect
          label={tickets.seenBy}
          description={tickets.seenByHint}
          placeholder={fields.groupIds.length === 0 ? tickets.allStaff : ''}
          searchable
          value={[...fields.groupIds]}
          error={errors.groupIds}
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(groupIds) => set({ groupIds })}
        />
      ) : null}
      <div className="grid cols-2">
        <Select
          {...choice('defaultPriority')}
          label={tickets.priority}
          allowDeselect={false}
          data={PRIORITIES.map((value) => ({ value, label: tickets.priorities[value] }))}
        />
        <NumberField
          name="position"
          label={tickets.position}
          description={tickets.positionHint}
          value={fields.position}
          error={errors.position}
          change={(position) => set({ position: position ?? 0 })}
        />
      </div>
      <Switch
        {...flag('isOffered')}
        label={tickets.isOffered}
        description={tickets.isOfferedHint}
      />
    </FormDialog>
  )
}
