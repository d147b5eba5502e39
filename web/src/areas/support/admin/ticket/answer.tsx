import { MoorageError } from '@moorage/client'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { useAction } from '../../../../api/actions.ts'
import { client } from '../../../../api/client.ts'
import { useDraft } from '../../../../api/drafts.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { useTexts } from '../../../../texts/index.tsx'
import {
  Button,
  Card,
  Notice,
  refused,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
  told,
} from '../../../../ui/index.ts'
import { useTimes } from '../../../../ui/times.ts'
import { Writers } from '../../../desk/index.ts'
import { FilesField, NO_FILES } from '../../files/files.tsx'
import { CHANGES, type TicketDetails } from '../reads.ts'
import type { UsableReply } from '../reply-reads.ts'
import type { ChosenReply } from './chosen-reply.tsx'
import { useTicketKeys } from './keys.ts'

// Whoever writes the answer alone needs neither.
const Picker = lazy(async () => ({ default: (await import('./picker.tsx')).Picker }))
const Chosen = lazy(async () => ({ default: (await import('./chosen-reply.tsx')).Chosen }))

const NEXT = ['answered', 'open', 'hold', 'close'] as const
type Next = (typeof NEXT)[number]

type AnswerProps = {
  readonly ticket: TicketDetails
  /** The last public message on the screen. */
  readonly seenThrough: string | null
  /** Called at each change of the text. */
  readonly typed: (text: string) => void
}

type Wanted = {
  body: string
  kind: 'public' | 'note'
  next: Next
  /** The end of the hold. */
  until: string | null
  force: boolean
  reply: ChosenReply | null
  attachmentIds: string[]
}

type Draft = { readonly body: string; readonly reply: ChosenReply | null }

/** An answer to the customer, or a note for staff. It is stored as a draft while it is typed. */
export function Answer({ ticket: { id }, seenThrough, typed }: AnswerProps) {
  const { replies, tickets } = useAdminTexts()
  const { common } = useTexts()
  const draft = useDraft<Draft>(`answer:${id}`, { body: '', reply: null })
  const [kind, choose] = useState<'public' | 'note'>('public')
  const [next, setNext] = useState<Next>('answered')
  const [until, setUntil] = useState('')
  const { timeZone, instantOf } = useTimes()
  const field = useRef<HTMLTextAreaElement>(null)
  const [files, setFiles] = useState(NO_FILES)
  const send = useAction(
    ({ body, force, attachmentIds, ...wanted }: Wanted, intent) =>
      client.POST('/v1/admin/tickets/{id}/messages', {
        params: { path: { id } },
        body:
          wanted.kind === 'note'
            ? { kind: 'note', body, attachmentIds }
            : {
                ...{ kind: 'public', body, attachmentIds, seenThrough, force },
                ...(setsStatus(wanted.reply) ? {} : { next: wanted.next }),
                ...(wanted.until && { holdUntil: wanted.until }),
                ...(wanted.reply && {
                  savedReplyId: wanted.reply.id,
                  savedReplyRevision: wanted.reply.revision,
                  withoutActions: [...wanted.reply.without],
                }),
              },
        ...intent,
      }),
    {
      changes: CHANGES,
      done: (_message, sent) => {
        files.settle(sent.attachmentIds)
        // A text that was begun while this one was sent stays.
        if (field.current?.value.trim() === sent.body) {
          draft.clear()
          typed('')
        } else if (draft.fields.reply === sent.reply) {
          draft.set({ reply: null })
        }
        setNext('answered')
        setUntil('')
        told(kind === 'note' ? tickets.noted : tickets.answered)
      },
      failed: (error) => {
        if (isOutdated(error)) return
        // It says something else now, or cannot be used: its author has to choose again.
        if (isOfReply(error)) draft.set({ reply: null })
        refused(common.refused, error.message)
      },
    },
  )
  const begin = (wanted: 'public' | 'note') => {
    choose(wanted)
    field.current?.focus()
  }
  useTicketKeys({ r: () => begin('public'), n: () => begin('note') })
  const { reply } = draft.fields
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    field.current?.focus()
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const insert = ({ text, shared: _, ...chosen }: UsableReply) => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    const isEmpty = value.trim() === ''
    const [before, after] = isEmpty
      ? ['', '']
      : [value.slice(0, selectionStart), value.slice(selectionEnd)]
    caret.current = before.length + text.length
    const all = `${before}${text}${after}`
    draft.set({ body: all, reply: { ...chosen, without: [] } })
    typed(all)
  }
  const body = draft.fields.body.trim()
  const wasChanged = isOutdated(send.error)
  const submit = (force: boolean) => {
    if (!body || files.isUnready || send.isPending) return
    const isHeld = next === 'hold' && !setsStatus(reply)
    const end = isHeld ? instantOf(until) : null
    const attachmentIds = files.ids
    const chosen = kind === 'note' ? null : reply
    send.mutate({ body, kind, next, until: end, force, reply: chosen, attachmentIds })
  }
  return (
    <Card title={tickets.reply} right={<Writers kind="ticket" id={id} />}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit(false)
        }}
      >
        {wasChanged ? (
          <Notice
            tone="attention"
            title={tickets.changed}
            action={
              <Button size="xs" variant="default" onClick={() => submit(true)}>
                {tickets.sendAnyway}
              </Button>
            }
          >
            {tickets.changedText}
          </Notice>
        ) : null}
        <SegmentedControl
          aria-label={tickets.reply}
          value={kind}
          data={[
            { value: 'public', label: tickets.toCustomer },
            { value: 'note', label: tickets.note },
          ]}
          onChange={(value) => choose(value === 'note' ? 'note' : 'public')}
        />
        {kind === 'public' ? (
          <Suspense>
            <Picker ticketId={id} pick={insert} />
          </Suspense>
        ) : null}
        <Textarea
          ref={field}
          label={kind === 'note' ? tickets.noteText : tickets.answerText}
          description={replies.keys}
          autosize
          minRows={5}
          maxRows={24}
          maxLength={50_000}
          value={draft.fields.body}
          onChange={({ currentTarget: { value } }) => {
            draft.set({ body: value, ...(value.trim() === '' && { reply: null }) })
            typed(value)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            submit(false)
          }}
        />
        <FilesField report={setFiles} />
        {reply && kind === 'public' ? (
          <Suspense>
            <Chosen reply={reply} change={(it) => draft.set({ reply: it })} />
          </Suspense>
        ) : null}
        <div className="row gap12 wrap bottom-aligned">
          {kind === 'public' && !setsStatus(reply) ? (
            <Select
              label={tickets.afterwards}
              value={next}
              allowDeselect={false}
              data={NEXT.map((value) => ({ value, label: tickets.nexts[value] }))}
              onChange={(value) => setNext(NEXT.find((it) => it === value) ?? 'answered')}
            />
          ) : null}
          {kind === 'public' && next === 'hold' && !setsStatus(reply) ? (
            <TextInput
              type="datetime-local"
              label={tickets.holdUntil(timeZone)}
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          ) : null}
          <span className="grow" />
          <Button type="submit" disabled={!body || files.isUnready} loading={send.isPending}>
            {kind === 'note' ? tickets.addNote : tickets.send}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function isOutdated(error: Error | null): boolean {
  return error instanceof MoorageError && error.code === 'ticket_changed'
}

/** Whether a reply sets the status of the ticket: then its author does not choose one. */
function setsStatus(reply: ChosenReply | null): boolean {
  return reply?.actions.next != null && !reply.without.includes('next')
}

const OF_REPLY: readonly string[] = [
  ...['saved_reply_archived', 'saved_reply_changed', 'saved_reply_not_usable'],
]

function isOfReply(error: Error | null): boolean {
  return error instanceof MoorageError && OF_REPLY.includes(error.code)
}
