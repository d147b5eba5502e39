import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, read } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  type Bulk,
  Button,
  type DataColumn,
  DataList,
  Drawer,
  Empty,
  I,
  LinkButton,
  Loaded,
  Notice,
  Page,
  SearchFilter,
  Tag,
  type Tone,
  told,
  useChange,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { MailPreview } from './mail-preview.tsx'

type Mail = components['schemas']['Mail']
type State = Mail['state']

const STATES: readonly State[] = ['failed', 'undeliverable', 'queued', 'kept', 'sent']
const TONES: Readonly<Record<State, Tone>> = {
  ...{ queued: 'waiting', kept: 'ended', sent: 'active', failed: 'failed' },
  undeliverable: 'failed',
}

const mail = (id: string) =>
  read(['mails', id], (signal) =>
    client.GET('/v1/admin/mails/{id}', { params: { path: { id } }, signal }),
  )

/** Sent and failed mails; each opens with a preview. */
export function Mails() {
  const { mails: texts } = useAdminTexts()
  const { moment } = useFormats()
  const { search } = useListAddress()
  const [opened, open] = useState<Mail | null>(null)
  const state = useChoice('state', texts.state, STATES, texts.states)
  // The API matches complete addresses only.
  const recipient = search.q?.includes('@') ? search.q : undefined
  const list = useList(['mails', 'list', state.query, recipient], (where, signal) =>
    client.GET('/v1/admin/mails', {
      params: {
        query: { ...where, limit: 50, ...state.query, ...(recipient && { recipient }) },
      },
      signal,
    }),
  )
  const columns: readonly DataColumn<Mail>[] = [
    {
      ...{ id: 'subject', head: texts.subject, value: ({ subject }: Mail) => subject },
      cell: (it) => (
        <button type="button" className="rowlink" onClick={() => open(it)}>
          {it.subject}
        </button>
      ),
    },
    {
      ...{ id: 'recipient', head: texts.recipient, small: 'sub' },
      value: (it) => it.recipient,
      cell: (it) => it.recipient,
    },
    {
      ...{ id: 'kind', head: texts.kind, small: 'hide', optional: true },
      value: ({ kind }) => kind,
      cell: ({ kind }) => <span className="mono">{kind}</span>,
    },
    {
      ...{ id: 'time', head: texts.time, small: 'hide', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      ...{ id: 'state', head: texts.state, small: 'second', value: (it) => texts.states[it.state] },
      cell: (it) => <Tag tone={TONES[it.state]}>{texts.states[it.state]}</Tag>,
    },
  ]
  const mayWrite = useMay()('system:write')
  const bulk: Bulk<Mail, 'resend'> = {
    actions: [{ action: 'resend', verb: texts.resend, text: texts.resendText }],
    nameOf: ({ subject, recipient: to }) => `${subject} · ${to}`,
    call: (body, intent) => client.POST('/v1/admin/mails/bulk', { body, ...intent }),
    changes: [['mails']],
  }
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        <>
          <LinkButton to="/admin/mails/texts" variant="default">
            {texts.templates.open}
          </LinkButton>
          <LinkButton to="/admin/mails/server" variant="default">
            {texts.server.open}
          </LinkButton>
        </>
      }
    >
      <DataList
        name="mails"
        views="mails"
        caption={texts.title}
        list={list}
        columns={columns}
        filters={
          <>
            <SearchFilter label={texts.recipient} />
            {state.filter}
          </>
        }
        empty={<Empty icon={I.Mail} title={texts.none} />}
        {...(mayWrite && { bulk })}
      />
      <Drawer
        size={720}
        opened={opened !== null}
        onClose={() => open(null)}
        title={opened?.subject ?? ''}
      >
        {opened ? <Opened id={opened.id} /> : null}
      </Drawer>
    </Page>
  )
}

function Opened({ id }: { id: string }) {
  const { mails: texts } = useAdminTexts()
  const mayWrite = useMay()('system:write')
  const resend = useChange(
    (it: string, intent) =>
      client.POST('/v1/admin/mails/{id}/resend', { params: { path: { id: it } }, ...intent }),
    {
      changes: [['mails']],
      done: () => told(texts.resent),
    },
  )
  return (
    <Loaded query={useQuery(mail(id))} waiting="…">
      {({ recipient, state, failure, html, text }) => (
        <div className="stack">
          <div className="row between wrap">
            <span>{recipient}</span>
            <Tag tone={TONES[state]}>{texts.states[state]}</Tag>
          </div>
          {failure ? (
            <Notice tone="failed" title={texts.failure}>
              {failure}
            </Notice>
          ) : null}
          <h3 className="legend-label">{texts.preview}</h3>
          <MailPreview {...{ html, text }} />
          {mayWrite ? (
            <div className="row">
              <Button
                variant="default"
                loading={resend.isPending}
                onClick={() => resend.mutate(id)}
              >
                {texts.resend}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}
