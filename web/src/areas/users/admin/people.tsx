import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Avatar,
  amountOf,
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  SearchFilter,
  Tag,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import { PersonTag } from './status.tsx'

type Customer = components['schemas']['Customer']

/** Loaded when it is opened: the list is read more often than it grows this way. */
const NewPerson = lazy(async () => ({ default: (await import('./new/person.tsx')).NewPerson }))

const STATUSES = ['active', 'suspended', 'deleted'] as const
const CONFIRMED = ['true', 'false'] as const
const OWNING = ['true', 'false'] as const

/** Everyone with an account. */
export function People() {
  const { people } = useAdminTexts()
  const { search } = useListAddress()
  const { q } = search
  const status = useChoice('status', people.statusHead, STATUSES, people.status)
  const verified = useChoice('verified', people.confirmedHead, CONFIRMED, people.confirmedAs)
  const owning = useChoice('withServices', people.servers, OWNING, people.owning)
  const order = useOrder()
  const mayCreate = useMay()('users:write')
  const [isCreating, create] = useState(false)
  const query = {
    ...{ ...(q && { search: q }), ...status.query, ...order.query },
    ...(verified.query.verified && { verified: verified.query.verified === 'true' }),
    ...(owning.query.withServices && { withServices: owning.query.withServices === 'true' }),
  }
  const list = useList(
    ['admin', 'people', 'list', query],
    (where, signal) =>
      client.GET('/v1/admin/users', { params: { query: { ...where, ...query } }, signal }),
    { isCounted: true },
  )
  return (
    <Page
      wide
      title={people.title}
      actions={
        mayCreate ? (
          <Button leftSection={<I.UserPlus size={16} aria-hidden />} onClick={() => create(true)}>
            {people.create}
          </Button>
        ) : null
      }
    >
      <DataList
        name="customers"
        views="customers"
        caption={people.title}
        list={list}
        columns={useColumns()}
        filters={
          <>
            <SearchFilter label={people.find} />
            {status.filter}
            {owning.filter}
            {verified.filter}
            {order.filter}
          </>
        }
        empty={
          <Empty icon={I.Users} title={people.none}>
            {people.noneText}
          </Empty>
        }
      />
      {isCreating ? (
        <Suspense>
          <NewPerson close={() => create(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

type Amount = { readonly currency: string; readonly cents: number }

function useColumns(): readonly DataColumn<Customer>[] {
  const { people } = useAdminTexts()
  const { date, ago, number, money, country } = useFormats()
  const sums = (all: readonly Amount[]) => {
    const some = all.filter(({ cents }) => cents !== 0)
    return some.length > 0 ? some.map((it) => money(it.cents, it.currency)).join(' + ') : '–'
  }
  const amounts = (id: string, head: string, of: (row: Customer) => readonly Amount[]) => ({
    ...{ id, head, right: true, small: 'hide' as const },
    value: (row: Customer) =>
      of(row)
        .map(({ cents, currency }) => `${amountOf(cents, currency)} ${currency}`)
        .join(' + '),
    cell: (row: Customer) => <span className="num">{sums(of(row))}</span>,
  })
  return [
    {
      ...{ id: 'name', head: people.name, value: ({ name }) => name },
      cell: ({ id, name, email }) => (
        <span className="row gap12 who">
          <Avatar name={name} size={32} />
          <span className="cut">
            <Link to="/admin/people/$id" params={{ id }} className="rowlink cut block">
              {name}
            </Link>
            <span className="sub cut block">{email}</span>
          </span>
        </span>
      ),
    },
    {
      ...{ id: 'status', head: people.statusHead, small: 'second' },
      value: ({ status }) => people.status[status],
      cell: ({ status, needsAttention }) => (
        <span className="row">
          <PersonTag status={status} />
          {needsAttention ? <Tag tone="attention">{people.needsAttention}</Tag> : null}
        </span>
      ),
    },
    {
      ...{ id: 'email', head: people.email, small: 'hide', optional: true },
      ...{ value: ({ email }) => email, cell: ({ email }) => email },
    },
    {
      ...{ id: 'company', head: people.company, small: 'hide' },
      value: ({ company }) => company,
      cell: ({ company, vatStatus }) =>
        company ? (
          <span className="row">
            <span className="cut">{company}</span>
            {vatStatus === 'invalid' ? <Tag tone="failed">{people.vatInvalid}</Tag> : null}
          </span>
        ) : (
          <span className="dim">–</span>
        ),
    },
    {
      ...{ id: 'country', head: people.country, small: 'hide', optional: true },
      value: (it) => it.country,
      cell: (it) => <span className="dim">{it.country ? country(it.country) : '–'}</span>,
    },
    {
      ...{ id: 'vat', head: people.vatNumber, small: 'hide', optional: true },
      ...{ value: ({ vatNumber }) => vatNumber, cell: ({ vatNumber }) => vatNumber ?? '–' },
    },
    {
      ...{ id: 'services', head: people.servers, right: true, small: 'hide' },
      value: ({ activeServices }) => activeServices,
      cell: ({ activeServices }) => (activeServices === null ? '–' : number(activeServices)),
    },
    amounts('monthly', people.monthly, ({ monthly }) =>
      monthly.map(({ currency, monthlyCents }) => ({ currency, cents: monthlyCents })),
    ),
    amounts('due', people.balance, ({ due }) =>
      due.map(({ currency, dueCents }) => ({ currency, cents: dueCents })),
    ),
    {
      ...amounts('credit', people.credit, ({ credit }) =>
        credit.map(({ currency, balanceCents }) => ({ currency, cents: balanceCents })),
      ),
      optional: true,
    },
    {
      ...{ id: 'seen', head: people.lastSeen, right: true, small: 'hide', optional: true },
      value: ({ lastSeenAt }) => lastSeenAt,
      cell: ({ lastSeenAt }) => <span className="dim">{lastSeenAt ? ago(lastSeenAt) : '–'}</span>,
    },
    {
      ...{ id: 'since', head: people.since, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{date(createdAt)}</span>,
    },
  ]
}
