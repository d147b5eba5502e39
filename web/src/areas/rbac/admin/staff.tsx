import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, MultiSelect, Select, told, useChange } from '../../../ui/index.ts'
import { holds, type Permission, type Role } from './reads.ts'

const people = (search: string) =>
  read(['users', 'choice', search], (signal) =>
    client.GET('/v1/admin/users', {
      params: { query: { limit: 10, ...(search && { search }) } },
      signal,
    }),
  )

const person = (id: string) =>
  read(['users', id], (signal) =>
    client.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal }),
  )

type Props = { readonly list: readonly Role[]; readonly rights: readonly Permission[] }

/** The roles of one person, and the permissions that follow from them. */
export function StaffCard({ list, rights }: Props) {
  const { roles: texts } = useAdminTexts()
  const [search, find] = useState('')
  const [id, choose] = useState<string | null>(null)
  const found = useQuery(people(search)).data?.data ?? []
  const chosen = useQuery({ ...person(id ?? ''), enabled: id !== null }).data
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
          onChange={choose}
        />
        {chosen ? <Rights key={chosen.id} user={chosen} list={list} rights={rights} /> : null}
      </div>
    </Card>
  )
}

type User = {
  readonly id: string
  readonly name: string
  readonly roles: readonly { readonly id: string; readonly name: string }[]
}

function Rights({ user, list, rights }: Props & { user: User }) {
  const { roles: texts } = useAdminTexts()
  const mayWrite = useMay()('rbac:write')
  const own = list.filter((role) => user.roles.some(({ id }) => id === role.id))
  const held = rights.filter(({ key }) => own.some((role) => holds(role.permissions, key)))
  const save = useChange(
    (roleIds: string[]) =>
      client.PUT('/v1/admin/rbac/users/{id}/roles', {
        params: { path: { id: user.id } },
        body: { roleIds },
      }),
    {
      changes: [['users', user.id]],
      done: () => told(texts.rolesSaved),
    },
  )
  return (
    <>
      <MultiSelect
        label={texts.theirRoles}
        disabled={!mayWrite || save.isPending}
        value={user.roles.map(({ id }) => id)}
        data={list.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(roleIds) => save.mutate(roleIds)}
      />
      <div>
        <h3 className="legend-label">
          {held.length > 0 ? texts.mayDo(user.name) : texts.mayNothing(user.name)}
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
