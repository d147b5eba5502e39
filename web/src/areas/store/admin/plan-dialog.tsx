import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  FormDialog,
  I,
  IconAction,
  MoneyField,
  Notice,
  NumberField,
  RemoveButton,
  Select,
  TextInput,
  told,
} from '../../../ui/index.ts'
import type { Interval, Plan, Product } from './reads.ts'

const INTERVALS: readonly Interval[] = ['month', 'year', 'week', 'hour', 'one_time']
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'CAD', 'AUD']

type DialogProps = {
  readonly product: Product
  readonly plan: Plan | null
  readonly close: () => void
}

function fieldsOf(plan: Plan | null): PlanFields {
  return {
    ...{ name: plan?.name ?? '', interval: plan?.interval ?? 'month' },
    ...{ intervalCount: plan?.intervalCount ?? 1, priceCents: plan?.priceCents ?? null },
    ...{ setupFeeCents: plan?.setupFeeCents ?? 0, trialDays: plan?.trialDays ?? 0 },
    prices: (plan?.prices ?? []).map((it) => ({ ...it })),
  }
}

/** Adds or edits a term of a product. */
export function PlanDialog({ product, plan, close }: DialogProps) {
  const { catalogue } = useAdminTexts()
  const { common } = useTexts()
  const texts = catalogue.product
  const currency = plan?.currency ?? product.plans[0]?.currency ?? boot.currency
  const params = { path: { planId: plan?.id ?? '' } }
  const form = useForm({
    name: `plan:${plan?.id ?? `new:${product.id}`}`,
    saved: fieldsOf(plan),
    call: (wanted, intent) => {
      const { name, interval, intervalCount, setupFeeCents, trialDays, prices } = wanted
      const body = {
        ...{ name: name.trim(), interval, intervalCount, setupFeeCents, trialDays },
        ...{ priceCents: wanted.priceCents ?? 0, prices: [...prices] },
      }
      return plan
        ? client.PATCH('/v1/admin/plans/{planId}', { params, body, ...intent })
        : client.POST('/v1/admin/plans', { body: { ...body, productId: product.id }, ...intent })
    },
    edits: plan && { read: () => client.GET('/v1/admin/plans/{planId}', { params }), fieldsOf },
    changes: [['products'], ['admin', 'readiness']],
    done: () => {
      told(texts.termSaved)
      close()
    },
  })
  const { fields, set, text, choice, errors } = form
  return (
    <FormDialog
      title={plan ? plan.name : texts.addTerm}
      form={form}
      close={close}
      save={common.save}
      isIncomplete={fields.priceCents === null}
      removal={plan ? <Removal plan={plan} close={close} /> : null}
    >
      <TextInput {...text('name')} label={texts.termName} required data-autofocus />
      <div className="grid cols-2">
        <Select
          {...choice('interval')}
          label={texts.interval}
          allowDeselect={false}
          data={INTERVALS.map((value) => ({ value, label: texts.intervals[value] }))}
        />
        <NumberField
          name="intervalCount"
          label={texts.count}
          value={fields.intervalCount}
          error={errors.intervalCount}
          required
          change={(intervalCount) => set({ intervalCount: intervalCount ?? 1 })}
        />
      </div>
      <div className="grid cols-2">
        <MoneyField
          name="priceCents"
          label={texts.price}
          currency={currency}
          cents={fields.priceCents}
          error={errors.priceCents}
          required
          onCents={(priceCents) => set({ priceCents })}
        />
        <MoneyField
          name="setupFeeCents"
          label={texts.setupFee}
          currency={currency}
          cents={fields.setupFeeCents}
          error={errors.setupFeeCents}
          onCents={(setupFeeCents) => set({ setupFeeCents: setupFeeCents ?? 0 })}
        />
      </div>
      <NumberField
        name="trialDays"
        label={texts.trialField}
        unit={texts.days}
        value={fields.trialDays}
        error={errors.trialDays}
        change={(trialDays) => set({ trialDays: trialDays ?? 0 })}
      />
      {errors.prices ? <Notice tone="attention" title={errors.prices} /> : null}
      <OtherPrices
        own={currency}
        prices={fields.prices}
        change={(prices) => set({ prices: [...prices] })}
      />
    </FormDialog>
  )
}

type Price = Plan['prices'][number]
type PlanFields = {
  name: string
  interval: Interval
  intervalCount: number
  priceCents: number | null
  setupFeeCents: number
  trialDays: number
  prices: Price[]
}

type PricesProps = {
  readonly own: string
  readonly prices: readonly Price[]
  readonly change: (prices: readonly Price[]) => void
}

function OtherPrices({ own, prices, change }: PricesProps) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  const taken = new Set([own, ...prices.map(({ currency }) => currency)])
  const replace = (currency: string, more: Partial<Price>) =>
    change(prices.map((it) => (it.currency === currency ? { ...it, ...more } : it)))
  return (
    <details className="more-fields" open={prices.length > 0}>
      <summary>{texts.otherCurrencies}</summary>
      <div className="stack">
        {prices.map(({ currency, priceCents, setupFeeCents }) => (
          <div key={currency} className="row bottom">
            <MoneyField
              label={`${texts.price}, ${currency}`}
              currency={currency}
              cents={priceCents}
              onCents={(cents) => replace(currency, { priceCents: cents ?? 0 })}
            />
            <MoneyField
              label={`${texts.setup}, ${currency}`}
              currency={currency}
              cents={setupFeeCents}
              onCents={(cents) => replace(currency, { setupFeeCents: cents ?? 0 })}
            />
            <IconAction
              label={texts.removeCurrency(currency)}
              icon={I.Trash}
              variant="subtle"
              onClick={() => change(prices.filter((it) => it.currency !== currency))}
            />
          </div>
        ))}
        <Select
          label={texts.addCurrency}
          value={null}
          data={CURRENCIES.filter((it) => !taken.has(it))}
          onChange={(currency) =>
            currency
              ? change([
                  ...prices,
                  { currency, priceCents: 0, setupFeeCents: 0, priceMicros: null },
                ])
              : undefined
          }
        />
      </div>
    </details>
  )
}

function Removal({ plan, close }: { plan: Plan; close: () => void }) {
  const { catalogue } = useAdminTexts()
  const texts = catalogue.product
  return (
    <RemoveButton
      verb={texts.removeTerm}
      title={texts.removeTermTitle(plan.name)}
      call={() =>
        client.DELETE('/v1/admin/plans/{planId}', { params: { path: { planId: plan.id } } })
      }
      changes={[['products'], ['admin', 'readiness']]}
      told={texts.termRemoved}
      done={close}
    >
      {texts.removeTermText}
    </RemoveButton>
  )
}
