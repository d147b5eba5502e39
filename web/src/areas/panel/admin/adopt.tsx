import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors, useAction } from '../../../api/actions.ts'
import { client, read } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActionDialog, Select, TextInput, told } from '../../../ui/index.ts'

type Props = {
  readonly nodeId: string
  readonly server: { readonly id: number; readonly name: string }
  readonly close: () => void
}

type Wanted = { readonly userId: string; readonly planId: string; readonly until: string }

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
  const [wanted, want] = useState<Wanted>({ userId: '', planId: '', until: '' })
  const found = useQuery(people(search)).data?.data ?? []
  const offered = useQuery(plans).data?.data ?? []
  const adoption = useAction(
    ({ userId, planId, until }: Wanted, intent) =>
      client.POST('/v1/admin/nodes/{id}/adopt', {
        params: { path: { id: nodeId } },
        body: {
          ...{ serverId: server.id, userId, planId },
          ...(until && { currentPeriodEnd: `${until}T23:59:59.999Z` }),
        },
        ...intent,
      }),
    {
      changes: [['drift', nodeId], ['services']],
      done: () => {
        told(texts.adopted)
        close()
      },
    },
  )
  const errors = fieldErrors(adoption.error)
  return (
    <ActionDialog
      opened
      close={close}
      title={texts.adoptTitle(server.name)}
      action={texts.adopt}
      run={() => adoption.mutate(wanted)}
      isRunning={adoption.isPending}
      error={adoption.error}
      isIncomplete={!wanted.userId || !wanted.planId}
    >
      <p className="dim">{texts.adoptText}</p>
      <Select
        label={texts.customer}
        description={texts.customerHint}
        searchable
        required
        data-autofocus
        value={wanted.userId || null}
        searchValue={search}
        onSearchChange={find}
        filter={({ options }) => options}
        data={found.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        error={errors.userId}
        onChange={(userId) => want({ ...wanted, userId: userId ?? '' })}
      />
      <Select
        label={texts.plan}
        searchable
        required
        value={wanted.planId || null}
        data={offered.map(({ id, name }) => ({ value: id, label: name }))}
        error={errors.planId}
        onChange={(planId) => want({ ...wanted, planId: planId ?? '' })}
      />
      <TextInput
        type="date"
        label={texts.paidUntil}
        value={wanted.until}
        error={errors.currentPeriodEnd}
        onChange={(event) => want({ ...wanted, until: event.currentTarget.value })}
      />
    </ActionDialog>
  )
}
