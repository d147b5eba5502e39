import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Empty,
  FormDialog,
  I,
  Loaded,
  MultiSelect,
  RemoveButton,
  Table,
  TextInput,
  told,
} from '../../../ui/index.ts'
import { type Group, groups, people, type Role } from './reads.ts'

/** The groups of staff: the members of a group have its roles. */
export function GroupsCard({ list }: { list: readonly Role[] }) {
  const { roles: texts } = useAdminTexts()
  const may = useMay()
  const known = useQuery(groups)
  const [editing, edit] = useState<Group | 'new' | null>(null)
  const mayWrite = may('rbac:write')
  const nameOf = (id: string) => list.find((role) => role.id === id)?.name ?? id.slice(0, 8)
  return (
    <Card
      title={texts.groups}
      right={
        mayWrite ? (
          <Button size="compact-sm" variant="default" onClick={() => edit('new')}>
            {texts.addGroup}
          </Button>
        ) : null
      }
    >
      <Loaded query={known}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={I.Users} title={texts.noGroups}>
              {texts.groupsText}
            </Empty>
          ) : (
            <Table
              caption={texts.groups}
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                {
                  head: texts.name,
                  cell: (group) =>
                    mayWrite ? (
                      <button
                        type="button"
                        className="plain-link strong"
                        onClick={() => edit(group)}
                      >
                        {group.name}
                      </button>
                    ) : (
                      group.name
                    ),
                },
                {
                  ...{ head: texts.theirRoles, small: 'sub' },
                  cell: ({ roleIds }) => roleIds.map(nameOf).join(', ') || '–',
                },
                {
                  ...{ head: texts.members, small: 'sub' },
                  cell: ({ members }) =>
                    members.map(({ name, email }) => name || email).join(', ') || '–',
                },
              ]}
            />
          )
        }
      </Loaded>
      {editing ? (
        <GroupDialog
          group={editing === 'new' ? null : editing}
          list={list}
          close={() => edit(null)}
        />
      ) : null}
    </Card>
  )
}

type Props = {
  readonly group: Group | null
  readonly list: readonly Role[]
  readonly close: () => void
}

/** A group, its roles and its members. */
function GroupDialog({ group, list, close }: Props) {
  const { roles: texts } = useAdminTexts()
  const mayFind = useMay()('users:read')
  const [search, find] = useState('')
  const found = useQuery({ ...people(search), enabled: mayFind }).data?.data ?? []
  const params = { path: { id: group?.id ?? '' } }
  const fieldsOf = (it: Group | null) => ({
    ...{ name: it?.name ?? '', roleIds: it?.roleIds ?? [], memberIds: it?.memberIds ?? [] },
  })
  const form = useForm({
    name: `group:${group?.id ?? 'new'}`,
    saved: fieldsOf(group),
    call: ({ name, roleIds, memberIds }, intent) => {
      const body = { name: name.trim(), roleIds, memberIds }
      return group
        ? client.PATCH('/v1/admin/rbac/groups/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/rbac/groups', { body, ...intent })
    },
    edits: group && { read: () => client.GET('/v1/admin/rbac/groups/{id}', { params }), fieldsOf },
    changes: [['groups'], ['staff-access'], ['me']],
    done: () => {
      told(texts.groupSaved)
      close()
    },
  })
  const { fields, set, text } = form
  const known = new Map([...(group?.members ?? []), ...found].map((it) => [it.id, it]))
  return (
    <FormDialog
      atSide
      title={group ? group.name : texts.addGroup}
      form={form}
      close={close}
      save={texts.save}
      removal={group ? <Removal group={group} close={close} /> : null}
    >
      <TextInput {...text('name')} label={texts.name} required data-autofocus />
      <MultiSelect
        label={texts.theirRoles}
        description={texts.onlyOwn}
        searchable
        value={fields.roleIds}
        data={list.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(roleIds) => set({ roleIds })}
      />
      <MultiSelect
        label={texts.members}
        description={texts.personHint}
        searchable
        searchValue={search}
        onSearchChange={find}
        filter={({ options }) => options}
        value={fields.memberIds}
        data={[...known.values()].map(({ id, name, email }) => ({
          ...{ value: id, label: name ? `${name} (${email})` : email },
        }))}
        onChange={(memberIds) => set({ memberIds })}
      />
    </FormDialog>
  )
}

function Removal({ group, close }: { group: Group; close: () => void }) {
  const { roles: texts } = useAdminTexts()
  const params = { path: { id: group.id } }
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeGroupTitle(group.name)}
      call={() => client.DELETE('/v1/admin/rbac/groups/{id}', { params })}
      changes={[['groups'], ['staff-access'], ['me']]}
      told={texts.groupRemoved}
      done={close}
    >
      {texts.removeGroupText}
    </RemoveButton>
  )
}
