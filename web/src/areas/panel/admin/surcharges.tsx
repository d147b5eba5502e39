import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  FormDialog,
  I,
  IconAction,
  MoneyField,
  Notice,
  NumberField,
  Select,
  told,
} from '../../../ui/index.ts'
import { type ShopLocation, surcharges } from './reads.ts'

type Price = components['schemas']['ComponentPrice']

const INTERVALS = ['month', 'year', 'week', 'hour', 'one_time'] as const
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'CAD', 'AUD']
/** Hourly prices are in micros: this many are one cent. */
const MICROS = 10_000

type Props = { readonly location: ShopLocation; readonly close: () => void }

/** The surcharges of a location, in each cycle and currency that it is sold in. */
export function Surcharges({ location, close }: Props) {
  const { data } = useQuery(surcharges(location.id))
  return data ? <Dialog location={location} close={close} prices={data.prices} /> : null
}

function Dialog({ location, close, prices }: Props & { readonly prices: readonly Price[] }) {
  const { locations: texts } = useAdminTexts()
  const params = { path: { id: location.id } }
  const fieldsOf = (it: { readonly prices: readonly Price[] }) => ({ prices: [...it.prices] })
  const form = useForm({
    name: `surcharges:${location.id}`,
    saved: fieldsOf({ prices }),
    call: (wanted, intent) =>
      client.PUT('/v1/admin/locations/{id}/prices', {
        ...{ params, body: { prices: wanted.prices } },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/locations/{id}/prices', { params }), fieldsOf },
    changes: [['locations']],
    done: () => {
      told(texts.surchargesSaved)
      close()
    },
  })
  const { fields, set, errors } = form
  const replace = (index: number, change: Partial<Price>) =>
    set({ prices: fields.prices.map((it, at) => (at === index ? { ...it, ...change } : it)) })
  const added: Price = {
    ...{ interval: 'month', intervalCount: 1, currency: boot.currency, priceCents: 0 },
    ...{ feeCents: 0, priceMicros: null },
  }
  return (
    <FormDialog
      title={texts.surchargesOf(location.name)}
      form={form}
      close={close}
      save={texts.save}
    >
      <p className="sub">{texts.surchargesHint}</p>
      {errors.prices ? <Notice tone="attention" title={errors.prices} /> : null}
      {fields.prices.map((price, index) => (
        <PriceRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a price has nothing of its own but its place.
          key={index}
          number={index + 1}
          price={price}
          change={(change) => replace(index, change)}
          remove={() => set({ prices: fields.prices.filter((_, at) => at !== index) })}
        />
      ))}
      <Button
        variant="default"
        leftSection={<I.Plus size={16} aria-hidden />}
        onClick={() => set({ prices: [...fields.prices, added] })}
      >
        {texts.addSurcharge}
      </Button>
    </FormDialog>
  )
}

type RowProps = {
  readonly number: number
  readonly price: Price
  readonly change: (change: Partial<Price>) => void
  readonly remove: () => void
}

function PriceRow({ number, price, change, remove }: RowProps) {
  const { locations: texts, catalogue } = useAdminTexts()
  const { intervals, count } = catalogue.product
  const isHourly = price.interval === 'hour'
  return (
    <fieldset className="stack">
      <legend>{texts.surcharge(number)}</legend>
      <div className="grid cols-2">
        <Select
          label={texts.interval}
          allowDeselect={false}
          value={price.interval}
          data={INTERVALS.map((value) => ({ value, label: intervals[value] }))}
          onChange={(it) => {
            const interval = INTERVALS.find((known) => known === it) ?? 'month'
            change({ interval, priceMicros: interval === 'hour' ? 0 : null })
          }}
        />
        <NumberField
          label={count}
          name={`intervalCount-${number}`}
          value={price.intervalCount}
          required
          change={(intervalCount) => change({ intervalCount: intervalCount ?? 1 })}
        />
      </div>
      <div className="grid cols-2">
        <Select
          label={texts.currency}
          allowDeselect={false}
          searchable
          value={price.currency}
          data={[...new Set([boot.currency, price.currency, ...CURRENCIES])]}
          onChange={(currency) => (currency ? change({ currency }) : undefined)}
        />
        <MoneyField
          label={isHourly ? texts.monthAtMost : texts.price}
          currency={price.currency}
          cents={price.priceCents}
          onCents={(cents) => change({ priceCents: cents ?? 0 })}
        />
      </div>
      <div className="grid cols-2">
        {isHourly ? (
          <MoneyField
            label={texts.perHour}
            currency={price.currency}
            cents={Math.round((price.priceMicros ?? 0) / MICROS)}
            onCents={(cents) => change({ priceMicros: (cents ?? 0) * MICROS })}
          />
        ) : null}
        <MoneyField
          label={texts.fee}
          currency={price.currency}
          cents={price.feeCents}
          onCents={(cents) => change({ feeCents: cents ?? 0 })}
        />
      </div>
      <div>
        <IconAction
          label={texts.removeSurcharge(number)}
          icon={I.Trash}
          variant="subtle"
          onClick={remove}
        />
      </div>
    </fieldset>
  )
}
