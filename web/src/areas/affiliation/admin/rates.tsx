import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { boot } from '../../../api/boot.ts'
import { client, read } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  FormDialog,
  I,
  IconAction,
  MoneyField,
  NumberField,
  RemoveButton,
  SegmentedControl,
  Select,
  told,
  useFormats,
} from '../../../ui/index.ts'

type Rate = components['schemas']['CommissionRate']

const products = read(['products', 'names'], (signal) =>
  client.GET('/v1/admin/products', { params: { query: { limit: 100 } }, signal }),
)

/** The products that do not earn the usual commission. */
export function Rates() {
  const { affiliates } = useAdminTexts()
  const may = useMay()
  // A product is chosen by its name.
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
        <RateDialog rate={editing === 'new' ? null : editing} close={() => edit(null)} />
      ) : null}
    </>
  )
}

/** The name of a product for people who may see the catalogue; else its id. */
function useProductName() {
  const may = useMay()
  const known = useQuery({ ...products, enabled: may('store:read') }).data?.data ?? []
  return (id: string) => known.find((it) => it.id === id)?.name ?? id
}

function useColumns(edit: ((rate: Rate) => void) | null): readonly DataColumn<Rate>[] {
  const { affiliates } = useAdminTexts()
  const { rate, money, date } = useFormats()
  const nameOf = useProductName()
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

type Fields = {
  productId: string
  type: Rate['type']
  percent: number | null
  amountCents: number | null
}

function RateDialog({ rate, close }: { rate: Rate | null; close: () => void }) {
  const { affiliates } = useAdminTexts()
  const nameOf = useProductName()
  const known = useQuery(products).data?.data ?? []
  const currency = rate?.currency ?? boot.currency
  const form = useForm({
    name: `commission-rate:${rate?.id ?? 'new'}`,
    saved: {
      ...{ productId: rate?.productId ?? '', type: rate?.type ?? 'percent' },
      percent: rate?.percentBasisPoints ? rate.percentBasisPoints / 100 : null,
      amountCents: rate?.amountCents ?? null,
    } as Fields,
    call: ({ productId, type, percent, amountCents }, intent) =>
      client.PUT('/v1/admin/commission-rates/{productId}', {
        params: { path: { productId } },
        body:
          type === 'percent'
            ? { type, percentBasisPoints: Math.round((percent ?? 0) * 100) }
            : { type, amountCents, currency },
        ...intent,
      }),
    edits: null,
    changes: [['admin', 'commission-rates']],
    done: () => {
      told(affiliates.rateSaved)
      close()
    },
  })
  const { fields, set, choice, errors } = form
  const isPercent = fields.type === 'percent'
  return (
    <FormDialog
      {...{ form, close }}
      title={rate ? affiliates.editRate(nameOf(rate.productId)) : affiliates.addRate}
      save={affiliates.save}
      isIncomplete={
        fields.productId === '' || (isPercent ? fields.percent : fields.amountCents) === null
      }
      removal={rate ? <Removal {...{ rate, close }} name={nameOf(rate.productId)} /> : null}
    >
      <p className="dim">{affiliates.rateText}</p>
      {rate ? null : (
        <Select
          {...choice('productId')}
          label={affiliates.product}
          searchable
          required
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <SegmentedControl
        aria-label={affiliates.type}
        value={fields.type}
        data={(['percent', 'fixed'] as const).map((value) => ({
          value,
          label: affiliates.types[value],
        }))}
        onChange={(type) => set({ type: type === 'fixed' ? 'fixed' : 'percent' })}
      />
      {isPercent ? (
        <NumberField
          name="percentBasisPoints"
          label={affiliates.percent}
          unit="%"
          digits={2}
          value={fields.percent}
          error={errors.percentBasisPoints}
          required
          change={(percent) => set({ percent })}
        />
      ) : (
        <MoneyField
          name="amountCents"
          label={affiliates.fixed}
          currency={currency}
          cents={fields.amountCents}
          error={errors.amountCents}
          required
          onCents={(amountCents) => set({ amountCents })}
        />
      )}
    </FormDialog>
  )
}

type RemovalProps = { readonly rate: Rate; readonly name: string; readonly close: () => void }

function Removal({ rate: { productId }, name, close }: RemovalProps) {
  const { affiliates } = useAdminTexts()
  return (
    <RemoveButton
      verb={affiliates.removeRate}
      title={affiliates.removeRateTitle(name)}
      call={() =>
        client.DELETE('/v1/admin/commission-rates/{productId}', { params: { path: { productId } } })
      }
      changes={[['admin', 'commission-rates']]}
      told={affiliates.rateRemoved}
      done={close}
    >
      {affiliates.removeRateText}
    </RemoveButton>
  )
}
