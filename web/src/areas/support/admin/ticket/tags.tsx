import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../../api/client.ts'
import { useMay } from '../../../../api/permissions.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { TagsInput, told, useChange } from '../../../../ui/index.ts'
import { CHANGES, type TicketDetails } from '../reads.ts'
import { MOST_TAGS, tagsLike } from '../reply-reads.ts'

/** The tags of a ticket, with suggestions. Each change is saved at once. */
export function TicketTags({ ticket: { id, tags } }: { readonly ticket: TicketDetails }) {
  const { replies, tickets } = useAdminTexts()
  const mayWrite = useMay()('tickets:write')
  const [search, find] = useState('')
  const [isOpen, open] = useState(false)
  const wanted = search.trim().toLowerCase()
  const suggested = useQuery({
    ...tagsLike(wanted),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const change = useChange(
    (all: string[], intent) =>
      client.PATCH('/v1/admin/tickets/{id}', {
        params: { path: { id } },
        body: { tags: all },
        ...intent,
      }),
    { changes: CHANGES, done: () => told(tickets.saved) },
  )
  return (
    <TagsInput
      label={tickets.tags}
      description={replies.tagsHint}
      disabled={!mayWrite}
      maxTags={MOST_TAGS}
      maxLength={40}
      value={change.isPending ? change.variables : tags}
      data={(suggested.data?.data ?? []).map(({ name }) => name)}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={find}
      onDropdownOpen={() => open(true)}
      onChange={(all) => change.mutate(all)}
    />
  )
}
