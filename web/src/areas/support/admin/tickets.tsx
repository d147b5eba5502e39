import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useLiveList } from '../../../api/live-lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  ChoiceFilter,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  LinkButton,
  Page,
  told,
  useChange,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { type AdminTicket, CHANGES, counts, listKeys } from './reads.ts'
import { tagsLike } from './reply-reads.ts'
import { PriorityTag, StatusTag } from './status.tsx'

// Most visits of the list open no ticket.
const NewTicket = lazy(async () => ({ default: (await import('./new-ticket.tsx')).NewTicket }))

const VIEWS = ['open', 'mine', 'unassigned', 'answered', 'on_hold', 'closed'] as const
type View = (typeof VIEWS)[number]
const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const

/** The tickets of customers, by what is left to do. */
export function AdminTickets() {
  const { tickets } = useAdminTexts()
  const { search } = useListAddress()
  const may = useMay()
  const [isOpening, open] = useState(false)
  const view = VIEWS.find((it) => it === search.view) ?? 'open'
  const departments = useQuery(counts).data?.departments ?? []
  const priority = useChoice('priority', tickets.priority, PRIORITIES, tickets.priorities)
  const departmentId = departments.find(({ id }) => id === search.departmentId)?.id
  const tag = search.tag?.trim().slice(0, 40)
  const query = {
    ...{ view, ...priority.query },
    ...(departmentId && { departmentId }),
    ...(tag && { tag }),
  }
  const list = useLiveList<AdminTicket>(listKeys(query), (where, signal, headers) =>
    client.GET('/v1/admin/tickets', { params: { query: { ...where, ...query } }, signal, headers }),
  )
  return (
    <Page
      wide
      title={tickets.title}
      actions={
        <>
          {may('tickets:write') ? (
            <LinkButton to="/admin/saved-replies" variant="default">
              {tickets.savedReplies}
            </LinkButton>
          ) : null}
          {may('support:read') ? (
            <LinkButton to="/admin/departments" variant="default">
              {tickets.departments}
            </LinkButton>
          ) : null}
          {may('tickets:write') && may('users:read') ? (
            <Button
              variant="default"
              leftSection={<I.Plus size={16} aria-hidden />}
              onClick={() => open(true)}
            >
              {tickets.newTicket}
            </Button>
          ) : null}
          {may('tickets:write') ? <Next /> : null}
        </>
      }
    >
      <Views view={view} />
      <DataList
        name="tickets"
        views="tickets"
        caption={tickets.title}
        list={list}
        columns={useColumns(view)}
        filters={
          <>
            {priority.filter}
            {departments.length > 1 ? (
              <ChoiceFilter
                name="departmentId"
                label={tickets.department}
                options={departments.map(({ id, name }) => ({ value: id, label: name }))}
              />
            ) : null}
            <TagFilter />
          </>
        }
        empty={
          <Empty icon={I.Lifebuoy} title={tickets.none}>
            {tickets.noneText}
          </Empty>
        }
      />
      {isOpening ? (
        <Suspense>
          <NewTicket customer={null} close={() => open(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

/** The tags in use, the chosen one among them though no ticket may have it any more. */
function TagFilter() {
  const { tickets } = useAdminTexts()
  const { search } = useListAddress()
  const found = (useQuery(tagsLike('')).data?.data ?? []).map(({ name }) => name)
  const names = search.tag && !found.includes(search.tag) ? [search.tag, ...found] : found
  if (names.length === 0) return null
  return (
    <ChoiceFilter
      name="tag"
      label={tickets.tags}
      options={names.map((name) => ({ value: name, label: name }))}
    />
  )
}

/** The views with the number of tickets in each. */
function Views({ view }: { view: View }) {
  const { tickets } = useAdminTexts()
  const found = useQuery(counts).data?.views
  return (
    <nav className="hscroll links-row" aria-label={tickets.viewsLabel}>
      {VIEWS.map((it) => {
        const count = found?.[it === 'on_hold' ? 'onHold' : it]
        return (
          <Link
            key={it}
            to="/admin/tickets"
            search={{ view: it }}
            activeProps={{}}
            className={it === view ? 'active' : ''}
            aria-current={it === view ? 'page' : undefined}
          >
            {tickets.views[it]}
            {count ? (
              <span className="count num">{count < 1000 ? count : tickets.many}</span>
            ) : null}
          </Link>
        )
      })}
    </nav>
  )
}

/** Takes the most urgent unassigned ticket, and opens it. */
function Next() {
  const { tickets } = useAdminTexts()
  const navigate = useNavigate()
  const next = useChange(
    (_: null, intent) => client.POST('/v1/admin/tickets/next', { ...intent }),
    {
      changes: CHANGES,
      done: ({ ticket }) => {
        if (!ticket) return told(tickets.noNext)
        void navigate({ to: '/admin/tickets/$id', params: { id: ticket.id } })
      },
    },
  )
  return (
    <Button loading={next.isPending} onClick={() => next.mutate(null)}>
      {tickets.next}
    </Button>
  )
}

function useColumns(view: View): readonly DataColumn<AdminTicket>[] {
  const { tickets } = useAdminTexts()
  return [
    {
      ...{ id: 'subject', head: tickets.subject, value: ({ subject }) => subject },
      cell: ({ id, subject, number }) => (
        <Link to="/admin/tickets/$id" params={{ id }} className="rowlink cut block">
          {subject || number}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: tickets.statusHead, small: 'second' },
      value: ({ status }) => tickets.status[status],
      cell: ({ status, priority }) => (
        <span className="row wrap">
          <StatusTag status={status} />
          <PriorityTag priority={priority} />
        </span>
      ),
    },
    {
      ...{ id: 'customer', head: tickets.customer, small: 'sub' },
      value: ({ customer }) => customer.name,
      cell: ({ customer }) => <span className="cut block narrow">{customer.name}</span>,
    },
    {
      ...{ id: 'number', head: tickets.number, small: 'hide', value: ({ number }) => number },
      cell: ({ number }) => <span className="dim num">{number}</span>,
    },
    {
      ...{ id: 'department', head: tickets.department, small: 'hide' },
      value: ({ department }) => department.name,
      cell: ({ department }) => department.name,
    },
    {
      ...{ id: 'assignee', head: tickets.assignee, small: 'hide' },
      value: ({ assignee }) => assignee?.name ?? null,
      cell: ({ assignee }) => assignee?.name ?? '–',
    },
    {
      ...{ id: 'tags', head: tickets.tags, small: 'hide' },
      value: ({ tags }) => tags.join(', '),
      cell: ({ tags }) => <span className="cut block narrow dim">{tags.join(', ') || '–'}</span>,
    },
    useTimeColumn(view),
  ]
}

/** The views of waiting tickets are sorted by waiting time, all others by the last activity. */
function useTimeColumn(view: View): DataColumn<AdminTicket> {
  const { tickets } = useAdminTexts()
  const { moment } = useFormats()
  const place = { id: 'when', right: true, small: 'second' } as const
  if (view === 'on_hold') {
    return {
      ...{ ...place, head: tickets.holdEnds, value: ({ holdUntil }) => holdUntil },
      cell: ({ holdUntil }) => (
        <span className="dim">{holdUntil ? moment(holdUntil) : tickets.withoutEnd}</span>
      ),
    }
  }
  const isWaiting = view === 'open' || view === 'unassigned'
  return {
    ...{ ...place, head: isWaiting ? tickets.waitingSince : tickets.lastActivity },
    value: ({ waitingSince, lastActivityAt }) => (isWaiting ? waitingSince : lastActivityAt),
    cell: ({ waitingSince, lastActivityAt }) =>
      isWaiting && waitingSince ? (
        <span className="strong">{moment(waitingSince)}</span>
      ) : (
        <span className="dim">{moment(lastActivityAt)}</span>
      ),
  }
}
