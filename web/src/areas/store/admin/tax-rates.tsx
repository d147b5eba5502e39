import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  ChoiceFilter,
  type DataColumn,
  DataList,
  Empty,
  I,
  Page,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { COUNTRIES } from '../../account/index.ts'
import type { TaxRate } from './reads.ts'

const AssignRate = lazy(async () => ({
  default: (await import('./assign-rate.tsx')).AssignRate,
}))
const RateDialog = lazy(async () => ({
  default: (await import('./tax-rate-dialog.tsx')).RateDialog,
}))

/** The tax rates of each country, with their history. */
export function TaxRates() {
  const { moneyRules, setup } = useAdminTexts()
  const texts = moneyRules.taxRates
  const { country, countries: countriesOf, date, rate } = useFormats()
  const mayWrite = useMay()('store:write')
  const { search } = useListAddress()
  const [editing, edit] = useState<TaxRate | 'new' | null>(null)
  const [isAssigning, assign] = useState(false)
  const list = useList(['tax-rates', search.country], (where, signal) =>
    client.GET('/v1/admin/tax-rates', {
      params: {
        query: { ...where, limit: 50, ...(search.country && { country: search.country }) },
      },
      signal,
    }),
  )
  const importing = useChange(
    (_: null, intent) => client.POST('/v1/admin/tax-rates/import-eu', intent),
    {
      changes: [['tax-rates'], ['admin', 'readiness']],
      done: ({ created, updated, unchanged, asOf }) =>
        told(setup.seller.ratesImported(created + updated + unchanged, date(asOf))),
    },
  )
  const columns: readonly DataColumn<TaxRate>[] = [
    {
      ...{ id: 'name', head: texts.name, value: ({ name }: TaxRate) => name },
      cell: (it) =>
        mayWrite ? (
          <button
            type="button"
            className="rowlink"
            aria-label={texts.edit(it.name)}
            onClick={() => edit(it)}
          >
            {it.name}
          </button>
        ) : (
          it.name
        ),
    },
    {
      ...{ id: 'country', head: texts.country, small: 'sub' },
      value: (it) => it.country,
      cell: (it) => country(it.country),
    },
    {
      ...{ id: 'rate', head: texts.rate, right: true, small: 'second' },
      value: (it) => it.rateBasisPoints / 100,
      cell: (it) => rate(it.rateBasisPoints),
    },
    {
      ...{ id: 'class', head: texts.class, small: 'hide' },
      value: (it) => it.class,
      cell: (it) => it.class,
    },
    {
      ...{ id: 'category', head: texts.category, small: 'hide' },
      value: (it) => texts.categories[it.category],
      cell: (it) => texts.categories[it.category],
    },
    {
      ...{ id: 'since', head: texts.since, small: 'hide' },
      value: (it) => it.validFrom,
      cell: (it) => date(it.validFrom),
    },
  ]
  const countries = countriesOf(COUNTRIES)
  const importButton = (
    <Button variant="default" loading={importing.isPending} onClick={() => importing.mutate(null)}>
      {setup.seller.importRates}
    </Button>
  )
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        mayWrite ? (
          <>
            {importButton}
            <Button variant="default" onClick={() => assign(true)}>
              {texts.assign.open}
            </Button>
            <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
              {texts.add}
            </Button>
          </>
        ) : null
      }
    >
      <DataList
        name="tax-rates"
        caption={texts.title}
        list={list}
        columns={columns}
        filters={<ChoiceFilter name="country" label={texts.country} options={countries} />}
        empty={
          <Empty icon={I.Percentage} title={texts.none}>
            {texts.noneText}
          </Empty>
        }
      />
      {isAssigning ? (
        <Suspense>
          <AssignRate rates={list.rows ?? []} close={() => assign(false)} />
        </Suspense>
      ) : null}
      {editing ? (
        <Suspense>
          <RateDialog
            rate={editing === 'new' ? null : editing}
            countries={countries}
            close={() => edit(null)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}
