import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, MultiSelect, Select, told, useChange } from '../../../ui/index.ts'
import { holds, type Permission, people, type Role, staffAccess } from './reads.ts'

type Props = { readonly list: readonly Role[]; readonly rights: readonly Permission[] }

/** The roles of one person, and the permissions that follow from them. */
export function StaffCard({ list, rights }: Props) {
  const { roles: texts } = useAdminTexts()
  const [search, find] = useState('')
  const [id, choose] = useState<string | null>(null)
  const found = useQuery(people(search)).data?.data ?? []
  const access = useQuery({ ...staffAccess(id ?? ''), enabled: id !== null }).data
  const [name, call] = useState('')
  return (
    <Card title={texts.staff}>
      <div className="stack form-width">
        <p className="dim">{texts.staffText}</p>
        <Select
          label={texts.person}
          description={texts.personHint}
          searchable
          value={id}
          searchValue={search}
          onSearchChange={find}
          filter={({ options }) => options}
          data={found.map((it) => ({ value: it.id, label: `${it.name} (${it.email})` }))}
          onChange={(chosen) => {
            choose(chosen)
            call(found.find((it) => it.id === chosen)?.name ?? '')
          }}
        />
        {access ? (
          <Rights key={access.userId} name={name} access={access} list={list} rights={rights} />
        ) : null}
      </div>
    </Card>
  )
}

type RightsProps = Props & {
  readonly name: string
  readonly access: components['schemas']['StaffAccess']
}

function Rights({ name, access, list, rights }: RightsProps) {
  const { roles: texts } = useAdminTexts()
  const mayWrite = useMay()('rbac:write')
  const held = rights.filter(({ key }) => holds(access.permissions, key))
  const own = access.grants.filter(({ group }) => group === null).map(({ role }) => role.id)
  const ofGroups = access.grants.flatMap(({ role, group }) => (group ? [{ role, group }] : []))
  const save = useChange(
    (roleIds: string[]) =>
      client.PUT('/v1/admin/rbac/users/{id}/roles', {
        params: { path: { id: access.userId } },
        body: { roleIds },
      }),
    {
      changes: [['staff-access', access.userId], ['users']],
      done: () => told(texts.rolesSaved),
    },
  )
  return (
    <>
      <MultiSelect
        label={texts.theirRoles}
        disabled={!mayWrite || save.isPending}
        value={own}
        data={list.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(roleIds) => save.mutate(roleIds)}
      />
      {ofGroups.length > 0 ? (
        <div>
          <h3 className="legend-label">{texts.throughGroups}</h3>
          <ul className="stack s4">
            {ofGroups.map(({ role, group }) => (
              <li key={`${group.id} ${role.id}`}>
                {role.name} <span className="dim">{texts.ofGroup(group.name)}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <div>
        <h3 className="legend-label">
          {held.length > 0 ? texts.mayDo(name) : texts.mayNothing(name)}
        </h3>
        <ul className="stack s4">
          {held.map(({ key, description }) => (
            <li key={key}>
              {description} <span className="mono dim">{key}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
