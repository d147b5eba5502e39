import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { Select } from '../../../ui/index.ts'
import type { Person } from './reads.ts'

export type Chosen = Pick<Person, 'id' | 'name' | 'email'>

type Props = {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly error?: string | undefined
  readonly chosen: Chosen | null
  readonly choose: (person: Chosen | null) => void
  /** Why a person cannot be chosen, in a few words; null for those who can. */
  readonly reasonAgainst: (person: Person) => string | null
}

const labelOf = ({ name, email }: Chosen) => `${name} (${email})`

const people = (search: string) =>
  read(['users', 'choice', search], (signal) =>
    client.GET('/v1/admin/users', {
      params: { query: { limit: 10, ...(search && { search }) } },
      signal,
    }),
  )

/** A field for one person of the shop, found by name or address. Reading people needs `users:read`. */
export function PersonSelect(props: Props) {
  const { chosen, choose, reasonAgainst, ...field } = props
  const [search, find] = useState('')
  // The field shows the chosen person in the text that is searched for.
  const wanted = chosen && search === labelOf(chosen) ? '' : search.trim()
  const query = useQuery({ ...people(wanted), placeholderData: keepPreviousData })
  const found = query.data?.data ?? []
  const options = found.map((it) => {
    const reason = reasonAgainst(it)
    const label = reason ? `${labelOf(it)}: ${reason}` : labelOf(it)
    return { value: it.id, label, disabled: reason !== null }
  })
  const isListed = chosen === null || found.some(({ id }) => id === chosen.id)
  return (
    <Select
      {...field}
      searchable
      required
      data-autofocus
      value={chosen?.id ?? null}
      searchValue={search}
      onSearchChange={find}
      filter={({ options: all }) => all}
      data={isListed ? options : [{ value: chosen.id, label: labelOf(chosen) }, ...options]}
      onChange={(id) => choose(found.find((it) => it.id === id) ?? (id ? chosen : null))}
    />
  )
}
