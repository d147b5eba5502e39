import { useQuery } from '@tanstack/react-query'
import { client } from '../../../../api/client.ts'
import { useMay } from '../../../../api/permissions.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { useTexts } from '../../../../texts/index.tsx'
import {
  Card,
  Facts,
  Link,
  Loaded,
  Select,
  told,
  useChange,
  useFormats,
} from '../../../../ui/index.ts'
import { InvoiceTag } from '../../../billing/index.ts'
import { ServiceTag } from '../../../services/index.ts'
import { invoicesOf, servicesOf } from '../../../users/admin/reads.ts'
import { CHANGES, counts, staff, type TicketDetails, ticketsOf } from '../reads.ts'
import { StatusTag } from '../status.tsx'
import { Participants } from './participants.tsx'
import { TicketTags } from './tags.tsx'

type TicketProps = { readonly ticket: TicketDetails }

/** The work on a ticket, its participants, and the customer with services, open invoices and other tickets. */
export function Beside({ ticket }: TicketProps) {
  const may = useMay()
  const { customer } = ticket
  return (
    <div className="stack">
      <Work ticket={ticket} />
      <Customer ticket={ticket} />
      <Participants ticket={ticket} />
      {may('services:read') ? <Services userId={customer.id} /> : null}
      {may('invoices:read') ? <OpenInvoices userId={customer.id} /> : null}
      <OtherTickets ticket={ticket} />
    </div>
  )
}

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

type Change = {
  priority?: (typeof PRIORITIES)[number]
  departmentId?: string
  assigneeId?: string | null
}

/** Each field is saved when it is chosen. */
function Work({ ticket }: TicketProps) {
  const { id, priority, department, assignee } = ticket
  const { tickets } = useAdminTexts()
  const mayWrite = useMay()('tickets:write')
  const departments = (useQuery(counts).data?.departments ?? []).filter(
    (it) => !it.archived || it.id === department.id,
  )
  const people = useQuery(staff(department.id)).data ?? []
  const change = useChange(
    (body: Change, intent) =>
      client.PATCH('/v1/admin/tickets/{id}', { params: { path: { id } }, body, ...intent }),
    { changes: CHANGES, done: () => told(tickets.saved) },
  )
  const assignable =
    assignee && !people.some((it) => it.id === assignee.id) ? [...people, assignee] : people
  return (
    <Card title={tickets.work}>
      <div className="stack">
        <Select
          label={tickets.assignee}
          placeholder={tickets.nobody}
          disabled={!mayWrite}
          searchable
          clearable
          value={assignee?.id ?? null}
          data={assignable.map((it) => ({ value: it.id, label: it.name }))}
          onChange={(assigneeId) => change.mutate({ assigneeId })}
        />
        <Select
          label={tickets.priority}
          disabled={!mayWrite}
          allowDeselect={false}
          value={priority}
          data={PRIORITIES.map((value) => ({ value, label: tickets.priorities[value] }))}
          onChange={(value) => {
            const wanted = PRIORITIES.find((it) => it === value)
            if (wanted) change.mutate({ priority: wanted })
          }}
        />
        {departments.length > 1 ? (
          <Select
            label={tickets.department}
            disabled={!mayWrite}
            allowDeselect={false}
            value={department.id}
            data={departments.map((it) => ({ value: it.id, label: it.name }))}
            onChange={(departmentId) => departmentId && change.mutate({ departmentId })}
          />
        ) : null}
        <TicketTags ticket={ticket} />
      </div>
    </Card>
  )
}

function Customer({ ticket }: TicketProps) {
  const { tickets } = useAdminTexts()
  const { billing } = useTexts()
  const { moment } = useFormats()
  const may = useMay()
  const { customer, service, invoice, createdAt, waitingSince } = ticket
  const { status, holdUntil, closesAt } = ticket
  const linked = (to: '/admin/servers/$id' | '/admin/invoices/$id', id: string, name: string) => (
    <Link to={to} params={{ id }}>
      {name}
    </Link>
  )
  const invoiceName = invoice?.number ?? billing.proforma
  return (
    <Card title={tickets.customer}>
      <Facts
        rows={[
          [
            tickets.name,
            may('users:read') ? (
              <Link key="customer" to="/admin/people/$id" params={{ id: customer.id }}>
                {customer.name}
              </Link>
            ) : (
              customer.name
            ),
          ],
          [tickets.email, customer.email],
          ...(service
            ? [
                [
                  tickets.service,
                  may('services:read')
                    ? linked('/admin/servers/$id', service.id, service.name)
                    : service.name,
                ] as const,
              ]
            : []),
          ...(invoice
            ? [
                [
                  tickets.invoice,
                  may('invoices:read')
                    ? linked('/admin/invoices/$id', invoice.id, invoiceName)
                    : invoiceName,
                ] as const,
              ]
            : []),
          [tickets.opened, moment(createdAt)],
          ...(waitingSince ? [[tickets.waitingSince, moment(waitingSince)] as const] : []),
          ...(status === 'on_hold'
            ? [[tickets.holdEnds, holdUntil ? moment(holdUntil) : tickets.withoutEnd] as const]
            : []),
          ...(closesAt ? [[tickets.closes, moment(closesAt)] as const] : []),
        ]}
      />
    </Card>
  )
}

function Services({ userId }: { userId: string }) {
  const { tickets } = useAdminTexts()
  return (
    <Card title={tickets.services}>
      <Loaded query={useQuery(servicesOf(userId))}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim">{tickets.noServices}</p>
          ) : (
            <ul className="stack s8">
              {data.map(({ id, name, status }) => (
                <li key={id} className="row between wrap">
                  <Link to="/admin/servers/$id" params={{ id }} className="cut">
                    {name}
                  </Link>
                  <ServiceTag status={status} power={null} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function OpenInvoices({ userId }: { userId: string }) {
  const { tickets } = useAdminTexts()
  const { billing } = useTexts()
  const { money } = useFormats()
  return (
    <Card title={tickets.openInvoices}>
      <Loaded query={useQuery(invoicesOf(userId))}>
        {({ data }) => {
          const open = data.filter(({ status }) => status === 'open')
          return open.length === 0 ? (
            <p className="dim">{tickets.noInvoices}</p>
          ) : (
            <ul className="stack s8">
              {open.map((invoice) => (
                <li key={invoice.id} className="row between wrap">
                  <Link to="/admin/invoices/$id" params={{ id: invoice.id }} className="num">
                    {invoice.number ?? billing.proforma}
                  </Link>
                  <span className="row">
                    <span className="num">{money(invoice.dueCents, invoice.currency)}</span>
                    <InvoiceTag invoice={invoice} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}

function OtherTickets({ ticket: { id: own, customer } }: TicketProps) {
  const { tickets } = useAdminTexts()
  return (
    <Card title={tickets.others}>
      <Loaded query={useQuery(ticketsOf(customer.id))}>
        {({ data }) => {
          const others = data.filter(({ id }) => id !== own)
          return others.length === 0 ? (
            <p className="dim">{tickets.noOthers}</p>
          ) : (
            <ul className="stack s8">
              {others.map(({ id, subject, number, status }) => (
                <li key={id} className="row between wrap">
                  <Link to="/admin/tickets/$id" params={{ id }} className="cut">
                    {subject || number}
                  </Link>
                  <StatusTag status={status} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
