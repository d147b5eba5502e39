import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Avatar,
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
} from '../../../ui/index.ts'
import type { Person } from './reads.ts'
import { PersonTag } from './status.tsx'

const STATUSES = ['active', 'suspended', 'deleted'] as const

/** Everyone with an account. */
export function People() {
  const { people } = useAdminTexts()
  const { search } = useListAddress()
  const { q } = search
  const status = useChoice('status', people.statusHead, STATUSES, people.status)
  const list = useList(['admin', 'people', 'list', search], (where, signal) =>
    client.GET('/v1/admin/users', {
      params: { query: { ...where, ...(q && { search: q }), ...status.query } },
      signal,
    }),
  )
  return (
    <Page wide title={people.title}>
      <DataList
        name="customers"
        caption={people.title}
        list={list}
        columns={useColumns()}
        filters={
          <>
            <SearchFilter label={people.find} />
            {status.filter}
          </>
        }
        empty={
          <Empty icon={I.Users} title={people.none}>
            {people.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

function useColumns(): readonly DataColumn<Person>[] {
  const { people } = useAdminTexts()
  const { date, country } = useFormats()
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
      cell: ({ status }) => <PersonTag status={status} />,
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
      ...{ id: 'country', head: people.country, small: 'hide' },
      value: (it) => it.country,
      cell: (it) => <span className="dim">{it.country ? country(it.country) : '–'}</span>,
    },
    {
      ...{ id: 'vat', head: people.vatNumber, small: 'hide', optional: true },
      ...{ value: ({ vatNumber }) => vatNumber, cell: ({ vatNumber }) => vatNumber ?? '–' },
    },
    {
      ...{ id: 'since', head: people.since, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{date(createdAt)}</span>,
    },
  ]
}
