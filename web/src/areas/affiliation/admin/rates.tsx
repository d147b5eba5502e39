import { lazy, Suspense, useState } from 'react'
import { boot } from '../../../api/boot.ts'
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
  IconAction,
  useFormats,
} from '../../../ui/index.ts'
import { type Rate, useProducts } from './reads.ts'

/** Its kinds of fields make it larger than the list, so it is loaded when it is opened. */
const RateDialog = lazy(async () => ({ default: (await import('./rate-dialog.tsx')).RateDialog }))

/** The products that do not earn the usual commission. */
export function Rates() {
  const { affiliates } = useAdminTexts()
  const may = useMay()
  // Products are chosen by name, which requires reading the catalogue.
  const mayWrite = may('affiliation:write') && may('store:read')
  const [editing, edit] = useState<Rate | 'new' | null>(null)
  const list = useList(['admin', 'commission-rates'], (where, signal) =>
    client.GET('/v1/admin/commission-rates', { params: { query: where }, signal }),
  )
  const columns = useColumns(mayWrite ? edit : null)
  return (
    <>
      <DataList
        name="commission-rates"
        caption={affiliates.rates}
        list={list}
        columns={columns}
        filters={
          mayWrite ? (
            <Button
              variant="default"
              leftSection={<I.Plus size={16} aria-hidden />}
              onClick={() => edit('new')}
            >
              {affiliates.addRate}
            </Button>
          ) : null
        }
        empty={
          <Empty icon={I.Percentage} title={affiliates.noRates}>
            {affiliates.noRatesText}
          </Empty>
        }
      />
      {editing ? (
        <Suspense>
          <RateDialog rate={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

function useColumns(edit: ((rate: Rate) => void) | null): readonly DataColumn<Rate>[] {
  const { affiliates } = useAdminTexts()
  const { rate, money, date } = useFormats()
  const { nameOf } = useProducts()
  const earns = (it: Rate) =>
    it.type === 'percent'
      ? rate(it.percentBasisPoints ?? 0)
      : affiliates.each(money(it.amountCents ?? 0, it.currency ?? boot.currency))
  return [
    {
      ...{ id: 'product', head: affiliates.product },
      value: ({ productId }) => nameOf(productId),
      cell: ({ productId }) => <span className="strong">{nameOf(productId)}</span>,
    },
    {
      ...{ id: 'rate', head: affiliates.rate, right: true, small: 'second' },
      ...{ value: earns, cell: earns },
    },
    {
      ...{ id: 'since', head: affiliates.date, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{date(createdAt)}</span>,
    },
    ...(edit
      ? [
          {
            ...{ id: 'edit', head: affiliates.editRate(''), silent: true, right: true },
            cell: (it: Rate) => (
              <IconAction
                label={affiliates.editRate(nameOf(it.productId))}
                icon={I.Edit}
                variant="subtle"
                onClick={() => edit(it)}
              />
            ),
          },
        ]
      : []),
  ]
}
