import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { useList } from '../../api/lists.ts'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Facts,
  Link,
  LinkButton,
  Listed,
  Loaded,
  Notice,
  Page,
  Textarea,
  told,
  useChange,
  useFormats,
} from '../../ui/index.ts'
import { FilesField, FilesShown, NO_FILES } from './files/files.tsx'
import { Conversation } from './messages.tsx'
import {
  TICKETS,
  type TicketMessage,
  type TicketWithPeople,
  ticket as ticketRead,
} from './reads.ts'
import { TicketTag } from './status.tsx'

/** One ticket of a customer: its messages, and the field to answer. */
export function TicketPage() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(ticketRead(id))}>
      {(it) => <Shown ticket={it} />}
    </Loaded>
  )
}

type TicketProps = { readonly ticket: TicketWithPeople }

function Shown({ ticket }: TicketProps) {
  const { tickets } = useTexts()
  const { id, number, subject, status, followsId, followedById } = ticket
  const title = subject || number
  return (
    <Page
      title={title}
      head={
        <header className="page-head">
          <div className="grow least">
            <div className="row gap12 wrap">
              <h1 dir="auto">{title}</h1>
              <span role="status">
                <TicketTag status={status} />
              </span>
            </div>
            <div className="sub num">{number}</div>
          </div>
          <Actions ticket={ticket} />
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
          <Messages id={id} />
          {followedById ? (
            <Notice
              tone="waiting"
              title={tickets.continued}
              action={<Other id={followedById} label={tickets.seeOther} />}
            />
          ) : null}
          <Write ticket={ticket} />
        </div>
        <About ticket={ticket} />
      </div>
    </Page>
  )
}

function Other({ id, label }: { id: string; label: string }) {
  return (
    <LinkButton to="/tickets/$id" params={{ id }} size="xs" variant="default">
      {label}
    </LinkButton>
  )
}

function Messages({ id }: { id: string }) {
  const { tickets } = useTexts()
  const { moment } = useFormats()
  const list = useList<TicketMessage>(['ticket', id, 'messages'], (where, signal) =>
    client.GET('/v1/tickets/{id}/messages', {
      params: { path: { id }, query: { ...where, limit: 100 } },
      signal,
    }),
  )
  return (
    <Card title={tickets.conversation}>
      <Listed list={list} empty={<p className="dim">{tickets.noMessages}</p>}>
        {(messages) => (
          <Conversation
            label={tickets.conversation}
            deleted={tickets.deleted}
            messages={messages.map(
              ({ id: key, body, isMine, authorName, author, attachments, createdAt }) => ({
                ...{ id: key, body, look: author === 'customer' ? 'mine' : 'theirs' },
                files: <FilesShown side="customer" ticketId={id} files={attachments} />,
                head: (
                  <>
                    <strong>{isMine ? tickets.me : authorName}</strong> · {moment(createdAt)}
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

function Write({ ticket }: TicketProps) {
  const { tickets } = useTexts()
  const { date } = useFormats()
  const navigate = useNavigate()
  const { id, reopensUntil, closesAt, isRequester } = ticket
  const { fields, set, settle } = useDraft(`ticket:${id}`, { body: '' })
  const [files, setFiles] = useState(NO_FILES)
  const send = useChange(
    ({ body, attachmentIds }: { body: string; attachmentIds: string[] }, intent) =>
      client.POST('/v1/tickets/{id}/messages', {
        params: { path: { id } },
        body: { body: body.trim(), attachmentIds },
        ...intent,
      }),
    {
      changes: TICKETS,
      done: ({ ticketId }, { body, attachmentIds }) => {
        settle({ body }, { body: '' })
        files.settle(attachmentIds)
        told(tickets.sent)
        if (ticketId !== id) void navigate({ to: '/tickets/$id', params: { id: ticketId } })
      },
    },
  )
  const isOver = reopensUntil !== null && reopensUntil < new Date().toISOString()
  if (isViewing() || (isOver && !isRequester)) return null
  const isUnready = fields.body.trim() === '' || files.isUnready
  const hint = isOver
    ? tickets.opensNew
    : (reopensUntil && tickets.reopens(date(reopensUntil))) ||
      (closesAt && tickets.closes(date(closesAt)))
  return (
    <Card title={tickets.reply}>
      <form
        className="stack s8"
        onSubmit={(event) => {
          event.preventDefault()
          if (isUnready) return
          send.mutate({ body: fields.body, attachmentIds: files.ids })
        }}
      >
        <Textarea
          label={tickets.message}
          description={hint}
          autosize
          minRows={4}
          maxRows={20}
          maxLength={50_000}
          value={fields.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
        <FilesField report={setFiles} />
        <div className="row ends">
          <Button type="submit" disabled={isUnready} loading={send.isPending}>
            {tickets.send}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Actions({ ticket: { id, status, reopensUntil, isRequester } }: TicketProps) {
  const { tickets } = useTexts()
  const params = { path: { id } }
  const close = useChange(
    (_: null, intent) => client.POST('/v1/tickets/{id}/close', { params, ...intent }),
    { changes: TICKETS, done: () => told(tickets.isClosed) },
  )
  const reopen = useChange(
    (_: null, intent) => client.POST('/v1/tickets/{id}/reopen', { params, ...intent }),
    { changes: TICKETS, done: () => told(tickets.isOpen) },
  )
  if (!isRequester || isViewing()) return null
  const isOver = reopensUntil !== null && reopensUntil < new Date().toISOString()
  if (status === 'closed' && isOver) return null
  return (
    <div className="actions">
      {status === 'closed' ? (
        <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate(null)}>
          {tickets.reopen}
        </Button>
      ) : (
        <Button variant="default" loading={close.isPending} onClick={() => close.mutate(null)}>
          {tickets.close}
        </Button>
      )}
    </div>
  )
}

function About({ ticket }: TicketProps) {
  const { tickets, billing } = useTexts()
  const { moment } = useFormats()
  const { id, department, service, invoice, participants, createdAt, muted, closedAt } = ticket
  const params = { path: { id } }
  const mute = useChange(
    (_: null, intent) =>
      muted
        ? client.POST('/v1/tickets/{id}/unmute', { params, ...intent })
        : client.POST('/v1/tickets/{id}/mute', { params, ...intent }),
    { changes: TICKETS, done: () => told(muted ? tickets.unmuted : tickets.isMuted) },
  )
  return (
    <div className="stack">
      <Card title={tickets.details}>
        <Facts
          rows={[
            [tickets.department, department.name],
            ...(service
              ? [
                  [
                    tickets.service,
                    <Link key="service" to="/servers/$id" params={{ id: service.id }}>
                      {service.name}
                    </Link>,
                  ] as const,
                ]
              : []),
            ...(invoice
              ? [
                  [
                    tickets.invoice,
                    <Link key="invoice" to="/invoices/$id" params={{ id: invoice.id }}>
                      {invoice.number ?? billing.proforma}
                    </Link>,
                  ] as const,
                ]
              : []),
            [tickets.opened, moment(createdAt)],
            ...(closedAt ? [[tickets.closedAt, moment(closedAt)] as const] : []),
            ...(participants.length > 1
              ? [
                  [
                    tickets.people,
                    participants.map(({ name, isMe }) => (isMe ? tickets.me : name)).join(', '),
                  ] as const,
                ]
              : []),
          ]}
        />
      </Card>
      {isViewing() ? null : (
        <Button variant="default" loading={mute.isPending} onClick={() => mute.mutate(null)}>
          {muted ? tickets.unmute : tickets.mute}
        </Button>
      )}
    </div>
  )
}
