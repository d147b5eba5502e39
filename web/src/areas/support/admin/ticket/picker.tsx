import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { Select } from '../../../../ui/index.ts'
import { type UsableReply, usableReplies } from '../reply-reads.ts'
import { useTicketKeys } from './keys.ts'

type PickerProps = {
  readonly ticketId: string
  readonly pick: (reply: UsableReply) => void
}

/** A field that finds a saved reply by its name. Its texts are loaded when it opens. */
export function Picker({ ticketId, pick }: PickerProps) {
  const { replies } = useAdminTexts()
  const [search, find] = useState('')
  const [isOpen, open] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const query = useQuery({
    ...usableReplies(ticketId, search.trim()),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  useTicketKeys({ s: () => field.current?.focus() })
  const found = query.data?.data ?? []
  return (
    <Select
      ref={field}
      label={replies.savedReply}
      placeholder={replies.findReply}
      aria-keyshortcuts="s"
      searchable
      value={null}
      searchValue={search}
      onSearchChange={find}
      filter={({ options }) => options}
      data={found.map(({ id, name }) => ({ value: id, label: name }))}
      nothingFoundMessage={query.isSuccess ? replies.noReplyFound : undefined}
      onDropdownOpen={() => open(true)}
      onChange={(id) => {
        const reply = found.find((it) => it.id === id)
        if (!reply) return
        find('')
        pick(reply)
      }}
    />
  )
}
