import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { person } from '../../../api/admin-reads.ts'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Avatar,
  Button,
  Card,
  Empty,
  I,
  Loaded,
  Page,
  SearchFilter,
  useChange,
  useListAddress,
} from '../../../ui/index.ts'

/** Asks for the customer of the invoice; its lines are entered in the draft. */
export function NewInvoice() {
  const { invoices } = useAdminTexts()
  const { search } = useListAddress()
  const may = useMay()
  const { userId } = search
  return (
    <Page title={invoices.create} sub={invoices.draftHelp}>
      {userId && may('users:read') ? (
        <For userId={userId} />
      ) : may('users:read') ? (
        <Choose />
      ) : (
        <Empty icon={I.Lock} title={invoices.findCustomerHelp}>
          users:read
        </Empty>
      )}
    </Page>
  )
}

function Choose() {
  const { invoices } = useAdminTexts()
  const { search, set } = useListAddress()
  const q = search.q ?? ''
  const found = useQuery({
    ...read(['admin', 'people', 'list', { q }], (signal) =>
      client.GET('/v1/admin/users', { params: { query: { search: q, limit: 8 } }, signal }),
    ),
    enabled: q !== '',
  })
  return (
    <Card title={invoices.forCustomer}>
      <div className="stack">
        <SearchFilter label={invoices.findCustomer} />
        {q === '' ? (
          <p className="dim">{invoices.findCustomerHelp}</p>
        ) : (
          <Loaded query={found} waiting={null}>
            {({ data }) =>
              data.length === 0 ? (
                <p className="dim">{invoices.nobody}</p>
              ) : (
                <ul>
                  {data.map(({ id, name, email }) => (
                    <li key={id}>
                      <button type="button" className="me" onClick={() => set({ userId: id })}>
                        <Avatar name={name} />
                        <span className="grow cut">
                          <span className="strong block cut">{name}</span>
                          <span className="sub block cut">{email}</span>
                        </span>
                      </button>
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        )}
      </div>
    </Card>
  )
}

function For({ userId }: { userId: string }) {
  const { invoices } = useAdminTexts()
  const { common } = useTexts()
  const navigate = useNavigate()
  const { set } = useListAddress()
  const [isGone, setGone] = useState(false)
  const create = useChange(
    (_: null, intent) => client.POST('/v1/admin/invoices', { body: { userId }, ...intent }),
    {
      changes: [['admin', 'invoices']],
      done: ({ id }) => {
        setGone(true)
        void navigate({ to: '/admin/invoices/$id', params: { id }, replace: true })
      },
    },
  )
  return (
    <Card title={invoices.forCustomer}>
      <Loaded query={useQuery(person(userId))} waiting={null}>
        {({ name, email }) => (
          <div className="row gap12 wrap">
            <Avatar name={name} size={36} />
            <div className="grow cut">
              <div className="strong cut">{name}</div>
              <div className="sub cut">{email}</div>
            </div>
            <Button variant="default" onClick={() => set({ userId: undefined })}>
              {common.cancel}
            </Button>
            <Button loading={create.isPending || isGone} onClick={() => create.mutate(null)}>
              {invoices.create}
            </Button>
          </div>
        )}
      </Loaded>
    </Card>
  )
}
