import { useState } from 'react'
import { client } from '../../../../api/client.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { ActDialog, TextInput } from '../../../../ui/index.ts'
import { useTimes } from '../../../../ui/times.ts'
import { CHANGES, type TicketDetails } from '../reads.ts'

type HoldProps = {
  readonly ticket: TicketDetails
  readonly opened: boolean
  readonly close: () => void
}

/** Puts a ticket on hold, with or without an end; or changes the end. */
export function Hold({ ticket: { id, status, holdUntil }, opened, close }: HoldProps) {
  const { tickets } = useAdminTexts()
  const { timeZone, fieldOf, instantOf } = useTimes()
  // The title stays the same until the dialog is closed: the ticket is on hold before that.
  const [isHeld, remember] = useState(status === 'on_hold')
  if (!opened && isHeld !== (status === 'on_hold')) remember(!isHeld)
  return (
    <ActDialog
      {...{ opened, close }}
      title={isHeld ? tickets.holdEndTitle : tickets.holdTitle}
      consequence={tickets.holdText}
      verb={isHeld ? tickets.save : tickets.hold}
      initial={{ until: holdUntil ? fieldOf(holdUntil) : '' }}
      call={({ until }, intent) => {
        const end = instantOf(until)
        return client.POST('/v1/admin/tickets/{id}/hold', {
          params: { path: { id } },
          body: end ? { until: end } : {},
          ...intent,
        })
      }}
      changes={CHANGES}
      told={tickets.isHeld}
    >
      {({ text }) => (
        <TextInput
          {...text('until')}
          type="datetime-local"
          label={tickets.holdUntil(timeZone)}
          description={tickets.holdUntilHint}
          data-autofocus
        />
      )}
    </ActDialog>
  )
}
