import { useAdminTexts } from '../../../../texts/admin.tsx'
import { I, IconAction, Notice } from '../../../../ui/index.ts'
import { ACTIONS, type Action, type UsableReply } from '../reply-reads.ts'

/** A saved reply that was put into the answer, without its text. */
export type ChosenReply = Pick<UsableReply, 'id' | 'name' | 'revision' | 'actions' | 'missing'> & {
  /** The actions that are not done. */
  readonly without: readonly Action[]
}

type ChosenProps = {
  readonly reply: ChosenReply
  readonly change: (reply: ChosenReply) => void
}

/** What happens when the answer is sent. Each action can be removed. */
export function Chosen({ reply, change }: ChosenProps) {
  const { replies } = useAdminTexts()
  const said = useSaid(reply)
  const shown = ACTIONS.filter((it) => said[it] !== null && !reply.without.includes(it))
  return (
    <>
      {reply.missing.length > 0 ? (
        <Notice tone="attention" title={replies.missing}>
          {reply.missing.map((it) => replies.placeholders[it]).join(', ')}
        </Notice>
      ) : null}
      {shown.length > 0 ? (
        <section aria-label={replies.whenSent}>
          <p className="legend-label">{replies.whenSent}</p>
          <ul className="stack s8">
            {shown.map((it) => (
              <li key={it} className="row between">
                <span className="cut">{said[it]}</span>
                <IconAction
                  label={replies.removeAction(said[it] ?? '')}
                  icon={I.X}
                  variant="subtle"
                  onClick={() => change({ ...reply, without: [...reply.without, it] })}
                />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

function useSaid({ actions }: ChosenReply): Readonly<Record<Action, string | null>> {
  const { replies, tickets } = useAdminTexts()
  const { next, holdHours, priority, assignee, department, tags } = actions
  return {
    next: next && replies.willBe(next, holdHours),
    priority: priority && tickets.priorityNow(tickets.priorities[priority]),
    assignee: assignee && tickets.assignedTo(assignee.name),
    department: department && tickets.movedTo(department.name),
    tags: tags.length > 0 ? replies.tagsAdded(tags.join(', ')) : null,
  }
}
