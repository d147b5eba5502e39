import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  ChoiceFilter,
  type DataColumn,
  DataList,
  Empty,
  FormDialog,
  I,
  NumberField,
  Page,
  RemoveButton,
  Select,
  TextInput,
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
        <RateDialog
          rate={editing === 'new' ? null : editing}
          countries={countries}
          close={() => edit(null)}
        />
      ) : null}
    </Page>
  )
}

type DialogProps = {
  readonly rate: TaxRate | null
  readonly countries: readonly { readonly value: string; readonly label: string }[]
  readonly close: () => void
}

function fieldsOf(rate: TaxRate | null): RateFields {
  return {
    ...{ name: rate?.name ?? '', country: rate?.country ?? '', class: rate?.class ?? '' },
    ...{ percent: rate ? rate.rateBasisPoints / 100 : null, from: '' },
  }
}

function RateDialog({ rate, countries, close }: DialogProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.taxRates
  const formats = useFormats()
  const params = { path: { id: rate?.id ?? '' } }
  const form = useForm({
    name: `tax-rate:${rate?.id ?? 'new'}`,
    saved: fieldsOf(rate),
    call: (wanted, intent) => {
      const { name, country, percent, from } = wanted
      const rateBasisPoints = Math.round((percent ?? 0) * 100)
      const body = {
        ...{ name: name.trim(), country, rateBasisPoints },
        ...(wanted.class.trim() && { class: wanted.class.trim() }),
      }
      return rate
        ? client.PATCH('/v1/admin/tax-rates/{id}', {
            params,
            body: { ...body, ...(from && { effectiveFrom: from }) },
            ...intent,
          })
        : client.POST('/v1/admin/tax-rates', {
            body: { ...body, ...(from && { validFrom: from }) },
            ...intent,
          })
    },
    edits: rate && { read: () => client.GET('/v1/admin/tax-rates/{id}', { params }), fieldsOf },
    changes: [['tax-rates'], ['admin', 'readiness']],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  const { fields, set, text, choice, errors } = form
  return (
    <FormDialog
      title={rate ? texts.edit(rate.name) : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={rate ? <Removal rate={rate} close={close} /> : null}
    >
      <Select
        {...choice('country')}
        label={texts.country}
        searchable
        required
        data={[...countries]}
      />
      <TextInput
        {...text('name')}
        label={texts.name}
        description={texts.nameHint}
        required
        data-autofocus
      />
      <div className="grid cols-2">
        <NumberField
          name="rateBasisPoints"
          label={texts.rate}
          unit="%"
          digits={2}
          value={fields.percent}
          error={errors.percent ?? errors.rateBasisPoints}
          required
          change={(percent) => set({ percent })}
        />
        <TextInput {...text('from')} type="date" label={texts.from} />
      </div>
      <p className="sub">{texts.fromHint}</p>
      <TextInput {...text('class')} label={texts.class} description={texts.classHint} />
      {rate && rate.versions.length > 1 ? (
        <div>
          <h3 className="legend-label">{texts.history}</h3>
          <ul className="sub">
            {rate.versions.map(({ rateBasisPoints, validFrom }) => (
              <li key={validFrom}>
                {texts.versionFrom(formats.rate(rateBasisPoints), formats.date(validFrom))}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </FormDialog>
  )
}

type RateFields = {
  name: string
  country: string
  class: string
  percent: number | null
  from: string
}

function Removal({ rate, close }: { rate: TaxRate; close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.taxRates
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle(rate.name)}
      call={() => client.DELETE('/v1/admin/tax-rates/{id}', { params: { path: { id: rate.id } } })}
      changes={[['tax-rates']]}
      told={texts.removed}
      done={close}
    >
      {texts.removeText}
    </RemoveButton>
  )
}
