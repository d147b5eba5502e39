import { useAdminTexts } from '../../../../texts/admin.tsx'
import { Card, useFormats } from '../../../../ui/index.ts'
import type { TicketDetails } from '../reads.ts'

type Change = TicketDetails['changes'][number]

/** The changes of a ticket other than messages, oldest first. */
export function History({ ticket: { changes } }: { ticket: TicketDetails }) {
  const { tickets } = useAdminTexts()
  const { moment } = useFormats()
  if (changes.length === 0) return null
  return (
    <Card title={tickets.history}>
      <ul className="stack s8">
        {changes.map((change) => (
          <li key={change.id}>
            <Said change={change} />{' '}
            <span className="sub">
              {change.actorName ?? tickets.byItself} · {moment(change.createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Said({ change: { kind, after, before } }: { change: Change }) {
  const { replies, tickets } = useAdminTexts()
  const { moment } = useFormats()
  const name = after ?? before ?? ''
  switch (kind) {
    case 'assigned':
      return <>{after === null ? tickets.unassignedNow : tickets.assignedTo(after)}</>
    case 'priority':
      return <>{tickets.priorityNow(priorityName(tickets.priorities, name))}</>
    case 'held':
      return <>{after === null ? tickets.held : tickets.heldUntil(moment(after))}</>
    case 'department':
      return <>{tickets.movedTo(name)}</>
    case 'tags':
      return <>{after === null ? replies.untagged : replies.tagged(after)}</>
    case 'participant_added':
      return <>{tickets.added(name)}</>
    case 'participant_removed':
      return <>{tickets.removed(name)}</>
    default:
      return <>{kind === 'closed' ? tickets.closedNow : tickets.reopenedNow}</>
  }
}

function priorityName(names: Readonly<Record<string, string>>, priority: string): string {
  return Object.entries(names).find(([key]) => key === priority)?.[1] ?? priority
}
