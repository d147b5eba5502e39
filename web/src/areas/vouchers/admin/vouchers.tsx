import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  useFormats,
} from '../../../ui/index.ts'
import { type Batch, batchesKey } from './reads.ts'

/** Its fields make it larger than the list, so it is loaded when it is opened. */
const NewBatch = lazy(async () => ({ default: (await import('./dialogs.tsx')).NewBatch }))

/** The batches of vouchers, with how many of each were redeemed. */
export function AdminVouchers() {
  const { vouchers } = useAdminTexts().moneyRules
  const mayWrite = useMay()('vouchers:write')
  const [isAdding, add] = useState(false)
  const list = useList<Batch>(batchesKey, (where, signal) =>
    client.GET('/v1/admin/vouchers/batches', { params: { query: where }, signal }),
  )
  return (
    <Page
      wide
      title={vouchers.title}
      sub={vouchers.sub}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => add(true)}>
            {vouchers.add}
          </Button>
        ) : null
      }
    >
      <DataList
        name="vouchers"
        caption={vouchers.title}
        list={list}
        columns={useColumns()}
        empty={
          <Empty icon={I.Gift} title={vouchers.none}>
            {vouchers.noneText}
          </Empty>
        }
      />
      {isAdding ? (
        <Suspense>
          <NewBatch close={() => add(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

function useColumns(): readonly DataColumn<Batch>[] {
  const { vouchers } = useAdminTexts().moneyRules
  const { money, date, number } = useFormats()
  const amountOf = ({ amountCents, currency }: Batch) => money(amountCents, currency)
  const redeemedOf = ({ redeemed, count }: Batch) =>
    vouchers.redeemedOf(number(redeemed), number(count))
  return [
    {
      ...{ id: 'name', head: vouchers.name, value: ({ name }: Batch) => name },
      cell: ({ id, name }) => (
        <Link to="/admin/vouchers/$id" params={{ id }} className="rowlink cut block">
          {name}
        </Link>
      ),
    },
    {
      ...{ id: 'amount', head: vouchers.amount, right: true, small: 'second' },
      value: amountOf,
      cell: amountOf,
    },
    {
      ...{ id: 'redeemed', head: vouchers.redeemed, right: true, small: 'sub' },
      value: ({ redeemed }) => redeemed,
      cell: redeemedOf,
    },
    {
      ...{ id: 'codes', head: vouchers.codes, small: 'hide' },
      value: (it) => vouchers.codeStates[it.voidedAt ? 'void' : it.codes],
      cell: (it) => vouchers.codeStates[it.voidedAt ? 'void' : it.codes],
    },
    {
      ...{ id: 'expires', head: vouchers.expires, small: 'hide' },
      value: ({ expiresAt }) => expiresAt,
      cell: ({ expiresAt }) => (expiresAt ? date(expiresAt) : vouchers.never),
    },
    {
      ...{ id: 'created', head: vouchers.created, small: 'second' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="num">{date(createdAt)}</span>,
    },
  ]
}
