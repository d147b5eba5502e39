import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readiness } from '../../../api/admin-reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, I, IconAction, InnerLink, Loaded, Skeleton } from '../../../ui/index.ts'

const HIDDEN = 'checklist-hidden'

/** The open set-up steps, from the actual state of the shop. The list can be hidden once the shop takes orders. */
export function Checklist() {
  const { overview } = useAdminTexts()
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) === 'true')
  const query = useQuery(readiness)
  const items = query.data?.items ?? []
  const done = items.filter(({ state }) => state === 'ready').length
  const sells = query.data?.sells ?? false
  if (query.data && (done === items.length || (isHidden && sells))) return null
  const hide = () => {
    localStorage.setItem(HIDDEN, 'true')
    setHidden(true)
  }
  return (
    <Card
      title={overview.ready}
      right={
        <>
          {query.data ? (
            <span className="sub num">{overview.readyOf(done, items.length)}</span>
          ) : null}
          {sells ? <IconAction label={overview.hide} icon={I.X} size={28} onClick={hide} /> : null}
        </>
      }
    >
      <Loaded query={query} waiting={<Skeleton height={200} />}>
        {() => (
          <ul>
            {items.map(({ key, state, todo }) => {
              const isDone = state === 'ready'
              return (
                <li key={key} className={isDone ? 'check done' : 'check'}>
                  <span className="box" aria-hidden>
                    {isDone ? <I.Check size={13} stroke={2.6} /> : null}
                  </span>
                  <span className="grow what">
                    {overview.steps[key]}
                    <span className="sr"> {isDone ? overview.done : overview.todo}</span>
                    {todo ? <span className="sub block">{todo}</span> : null}
                  </span>
                  {isDone ? null : <InnerLink href="/admin/first-run">{overview.open}</InnerLink>}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}
