import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { client } from '../../api/client.ts'
import { useList } from '../../api/lists.ts'
import { isViewing } from '../../api/session.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Empty,
  I,
  Link,
  Listed,
  Notice,
  Page,
  SegmentedControl,
  Table,
  useFormats,
} from '../../ui/index.ts'
import { useRowKeys } from '../../ui/lists/keys.ts'
import { NewTicket } from './new-ticket.tsx'
import { offer, type Ticket } from './reads.ts'
import { TicketTag } from './status.tsx'

/** The tickets of a customer, and a button for a new one. */
export function Tickets() {
  const { tickets } = useTexts()
  const { status, ask, service, invoice } = useSearch({ from: '/customer/tickets' })
  const navigate = useNavigate({ from: '/tickets' })
  const table = useRef<HTMLDivElement>(null)
  useRowKeys(table)
  const isOpen = useQuery(offer).data?.enabled ?? true
  const list = useList<Ticket>(['tickets', 'list', status ?? 'all'], (where, signal) =>
    client.GET('/v1/tickets', {
      params: { query: { ...where, ...(status && { status }) } },
      signal,
    }),
  )
  const mayAsk = isOpen && !isViewing()
  const asking = mayAsk && (ask || service !== undefined || invoice !== undefined)
  const filter = status ? { status } : {}
  const askNow = () => void navigate({ search: { ...filter, ask: true } })
  const button = mayAsk ? (
    <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={askNow}>
      {tickets.ask}
    </Button>
  ) : null
  return (
    <Page title={tickets.title} actions={button}>
      {isOpen ? null : <Notice tone="attention" title={tickets.closedShop} />}
      <div className="tools">
        <SegmentedControl
          aria-label={tickets.show}
          value={status ?? 'all'}
          data={[
            { value: 'all', label: tickets.all },
            { value: 'live', label: tickets.live },
            { value: 'closed', label: tickets.status.closed },
          ]}
          onChange={(value) =>
            void navigate({
              search: value === 'live' || value === 'closed' ? { status: value } : {},
              replace: true,
            })
          }
        />
      </div>
      <div className="card" ref={table}>
        <Listed
          list={list}
          empty={
            <Empty icon={I.Lifebuoy} title={tickets.none}>
              {tickets.noneText}
            </Empty>
          }
        >
          {(rows) => <Rows rows={rows} />}
        </Listed>
      </div>
      {asking ? (
        <NewTicket
          serviceId={service}
          invoiceId={invoice}
          close={() => void navigate({ search: filter, replace: true })}
        />
      ) : null}
    </Page>
  )
}

function Rows({ rows }: { rows: readonly Ticket[] }) {
  const { tickets } = useTexts()
  const { moment } = useFormats()
  return (
    <Table
      caption={tickets.title}
      rows={rows}
      rowKey={({ id }) => id}
      links
      columns={[
        {
          head: tickets.subject,
          cell: ({ id, subject }) => (
            <Link to="/tickets/$id" params={{ id }} className="rowlink cut block">
              {subject}
            </Link>
          ),
        },
        {
          head: tickets.statusHead,
          small: 'second',
          cell: ({ status }) => <TicketTag status={status} />,
        },
        {
          head: tickets.number,
          small: 'hide',
          cell: ({ number }) => <span className="dim num">{number}</span>,
        },
        {
          head: tickets.about,
          small: 'sub',
          cell: ({ service, invoice, department }) => (
            <span className="dim">{service?.name ?? invoice?.number ?? department.name}</span>
          ),
        },
        {
          head: tickets.lastMessage,
          right: true,
          small: 'second',
          cell: ({ lastMessageAt }) => <span className="dim num">{moment(lastMessageAt)}</span>,
        },
      ]}
    />
  )
}
