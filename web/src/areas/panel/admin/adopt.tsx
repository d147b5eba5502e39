import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActDialog, Select, TextInput } from '../../../ui/index.ts'

type Props = {
  readonly nodeId: string
  readonly server: { readonly id: number; readonly name: string }
  readonly close: () => void
}

const people = (search: string) =>
  read(['users', 'choice', search], (signal) =>
    client.GET('/v1/admin/users', {
      params: { query: { limit: 10, ...(search && { search }) } },
      signal,
    }),
  )

const plans = read(['plans', 'choice'], (signal) =>
  client.GET('/v1/admin/plans', { params: { query: { limit: 100 } }, signal }),
)

/** Creates a service for a server that was not sold here. */
export function Adopt({ nodeId, server, close }: Props) {
  const { panels } = useAdminTexts()
  const texts = panels.drift
  const [search, find] = useState('')
  const found = useQuery(people(search)).data?.data ?? []
  const offered = useQuery(plans).data?.data ?? []
  return (
    <ActDialog
      opened
      close={close}
      title={texts.adoptTitle(server.name)}
      consequence={texts.adoptText}
      verb={texts.adopt}
      initial={{ userId: '', planId: '', until: '' }}
      isIncomplete={({ userId, planId }) => !userId || !planId}
      call={({ userId, planId, until }, intent) =>
        client.POST('/v1/admin/nodes/{id}/adopt', {
          params: { path: { id: nodeId } },
          body: {
            ...{ serverId: server.id, userId, planId },
            ...(until && { currentPeriodEnd: `${until}T23:59:59.999Z` }),
          },
          ...intent,
        })
      }
      changes={[['drift', nodeId], ['services']]}
      told={texts.adopted}
    >
      {({ errors, text, choice }) => (
        <>
          <Select
            {...choice('userId')}
            label={texts.customer}
            description={texts.customerHint}
            searchable
            required
            data-autofocus
            searchValue={search}
            onSearchChange={find}
            filter={({ options }) => options}
            data={found.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          />
          <Select
            {...choice('planId')}
            label={texts.plan}
            searchable
            required
            data={offered.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextInput
            {...text('until')}
            type="date"
            label={texts.paidUntil}
            error={errors.currentPeriodEnd}
          />
        </>
      )}
    </ActDialog>
  )
}
