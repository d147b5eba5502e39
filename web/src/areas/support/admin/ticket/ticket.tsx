import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { boot } from '../../../../api/boot.ts'
import { client } from '../../../../api/client.ts'
import { useList } from '../../../../api/lists.ts'
import { useMay } from '../../../../api/permissions.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { useTexts } from '../../../../texts/index.tsx'
import {
  Button,
  Card,
  LinkButton,
  Listed,
  Loaded,
  Notice,
  Page,
  Skeleton,
  told,
  useChange,
  useFormats,
  useOnceOpened,
} from '../../../../ui/index.ts'
import { Presence, useWriting } from '../../../desk/index.ts'
import { FilesShown } from '../../files/files.tsx'
import { Conversation } from '../../messages.tsx'
import {
  CHANGES,
  type Message,
  messagesKey,
  type TicketDetails,
  ticket as ticketRead,
} from '../reads.ts'
import { PriorityTag, StatusTag } from '../status.tsx'
import { useTicketKeys } from './keys.ts'

// The conversation is drawn without waiting for what is beside it.
// The field to answer is loaded at once, so that its keys work when the conversation is there.
const answer = import('./answer.tsx')
const Answer = lazy(async () => ({ default: (await answer).Answer }))
const Beside = lazy(async () => ({ default: (await import('./beside.tsx')).Beside }))
const Hold = lazy(async () => ({ default: (await import('./hold.tsx')).Hold }))
const History = lazy(async () => ({ default: (await import('./history.tsx')).History }))

export function AdminTicketPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(ticketRead(id))}>
      {(it) => <Shown key={id} ticket={it} />}
    </Loaded>
  )
}

type TicketProps = { readonly ticket: TicketDetails }

/** One ticket: its messages, the field to answer, and the customer beside it. */
function Shown({ ticket }: TicketProps) {
  const { tickets } = useAdminTexts()
  const may = useMay()
  const { id, subject, number, status, priority, followsId, followedById } = ticket
  const title = subject || number
  const [isWriting, typed] = useWriting()
  const list = useList<Message>(messagesKey(id), (where, signal) =>
    client.GET('/v1/admin/tickets/{id}/messages', {
      params: { path: { id }, query: { ...where, limit: 100 } },
      signal,
    }),
  )
  // Only what is on the screen counts as read.
  const seenThrough = list.hasMore
    ? null
    : (list.rows?.findLast(({ kind }) => kind === 'public')?.id ?? null)
  return (
    <Page
      wide
      title={title}
      head={
        <header className="page-head">
          <div className="grow least">
            <div className="row gap12 wrap">
              <h1 dir="auto">{title}</h1>
              <span role="status" className="row">
                <StatusTag status={status} />
                <PriorityTag priority={priority} />
              </span>
            </div>
            <div className="sub row gap12 wrap">
              <span className="num">{number}</span>
              <Presence kind="ticket" id={id} isWriting={isWriting} />
            </div>
          </div>
          {may('tickets:write') ? <Actions ticket={ticket} /> : null}
        </header>
      }
    >
      <div className="grid split">
        <div className="stack">
          {followsId ? (
            <Notice
              tone="waiting"
              title={tickets.continues}
              action={<Other id={followsId} label={tickets.seeOther} />}
            />
          ) : null}
          <Messages list={list} ticketId={id} />
          {followedById ? (
            <Notice
              tone="waiting"
              title={tickets.continued}
              action={<Other id={followedById} label={tickets.seeOther} />}
            />
          ) : null}
          {may('tickets:write') ? (
            <Suspense fallback={<Skeleton height={320} />}>
              <Answer {...{ ticket, seenThrough, typed }} />
            </Suspense>
          ) : null}
          <Suspense>
            <History ticket={ticket} />
          </Suspense>
        </div>
        <Suspense fallback={<Skeleton height={420} />}>
          <Beside ticket={ticket} />
        </Suspense>
      </div>
    </Page>
  )
}

function Other({ id, label }: { id: string; label: string }) {
  return (
    <LinkButton to="/admin/tickets/$id" params={{ id }} size="xs" variant="default">
      {label}
    </LinkButton>
  )
}

type MessagesProps = {
  readonly list: ReturnType<typeof useList<Message>>
  readonly ticketId: string
}

function Messages({ list, ticketId }: MessagesProps) {
  const { tickets } = useAdminTexts()
  const own = useTexts().tickets
  const { moment } = useFormats()
  return (
    <Card title={own.conversation}>
      <Listed list={list} empty={<p className="dim">{own.noMessages}</p>}>
        {(messages) => (
          <Conversation
            label={own.conversation}
            deleted={own.deleted}
            messages={messages.map(
              ({ id, body, kind, author, authorName, attachments, createdAt }) => ({
                ...{ id, body },
                files: <FilesShown side="staff" ticketId={ticketId} files={attachments} />,
                look: kind === 'note' ? 'note' : author === 'staff' ? 'mine' : 'theirs',
                head: (
                  <>
                    {kind === 'note' ? `${tickets.note} · ` : null}
                    <strong>{authorName || tickets.customer}</strong> · {moment(createdAt)}
                  </>
                ),
              }),
            )}
          />
        )}
      </Listed>
    </Card>
  )
}

/** Every action has a key that works outside of fields; all but the hold, which may have an end, are one request. */
function Actions({ ticket }: TicketProps) {
  const { tickets } = useAdminTexts()
  const { id, status, assigneeId } = ticket
  const [isHolding, hold] = useState(false)
  const wasHolding = useOnceOpened(isHolding)
  const params = { path: { id } }
  const take = useChange(
    (_: null, intent) => client.POST('/v1/admin/tickets/{id}/take', { params, ...intent }),
    { changes: CHANGES, done: () => told(tickets.taken) },
  )
  const close = useChange(
    (_: null, intent) => client.POST('/v1/admin/tickets/{id}/close', { params, ...intent }),
    { changes: CHANGES, done: () => told(tickets.isClosed) },
  )
  const reopen = useChange(
    (_: null, intent) => client.POST('/v1/admin/tickets/{id}/reopen', { params, ...intent }),
    { changes: CHANGES, done: () => told(tickets.isOpen) },
  )
  const isMine = assigneeId === boot.userId
  const isClosed = status === 'closed'
  const isHeld = status === 'on_hold'
  useTicketKeys({
    a: () => (isMine ? undefined : take.mutate(null)),
    h: () => (isClosed ? undefined : hold(true)),
    c: () => (isClosed ? undefined : close.mutate(null)),
    o: () => (status === 'open' ? undefined : reopen.mutate(null)),
  })
  return (
    <div className="actions">
      {isMine ? null : (
        <Button
          variant="default"
          loading={take.isPending}
          aria-keyshortcuts="a"
          onClick={() => take.mutate(null)}
        >
          {tickets.take}
        </Button>
      )}
      {status === 'open' ? null : (
        <Button
          variant="default"
          loading={reopen.isPending}
          aria-keyshortcuts="o"
          onClick={() => reopen.mutate(null)}
        >
          {isHeld ? tickets.unhold : tickets.reopen}
        </Button>
      )}
      {isClosed ? null : (
        <Button variant="default" aria-keyshortcuts="h" onClick={() => hold(true)}>
          {isHeld ? tickets.changeHold : tickets.hold}
        </Button>
      )}
      {isClosed ? null : (
        <Button
          variant="default"
          loading={close.isPending}
          aria-keyshortcuts="c"
          onClick={() => close.mutate(null)}
        >
          {tickets.close}
        </Button>
      )}
      {wasHolding ? (
        <Suspense>
          <Hold ticket={ticket} opened={isHolding} close={() => hold(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
