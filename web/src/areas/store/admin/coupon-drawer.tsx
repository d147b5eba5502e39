import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  FormDialog,
  MoneyField,
  NumberField,
  RemoveButton,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
  told,
} from '../../../ui/index.ts'

type Coupon = components['schemas']['Coupon']

function fieldsOf(coupon: Coupon | null) {
  return {
    code: coupon?.code ?? '',
    type: coupon?.type ?? ('percent' as Coupon['type']),
    percent: coupon?.percentBasisPoints ? coupon.percentBasisPoints / 100 : null,
    amountCents: coupon?.amountCents ?? null,
    duration: coupon?.duration ?? ('once' as Coupon['duration']),
    durationCycles: coupon?.durationCycles ?? null,
    minimumCents: coupon?.minimumCents ?? null,
    maxRedemptions: coupon?.maxRedemptions ?? null,
    maxRedemptionsPerUser: coupon?.maxRedemptionsPerUser ?? null,
    validFrom: coupon?.validFrom?.slice(0, 10) ?? '',
    validTo: coupon?.validTo?.slice(0, 10) ?? '',
    newCustomersOnly: coupon?.newCustomersOnly ?? false,
    includeSetupFee: coupon?.includeSetupFee ?? false,
    stackable: coupon?.stackable ?? false,
    productIds: coupon?.productIds ?? [],
    categoryIds: coupon?.categoryIds ?? [],
    // Only used to create many coupons at once.
    count: 100 as number | null,
    prefix: '',
  }
}

type Fields = ReturnType<typeof fieldsOf>

function bodyOf(fields: Fields, currency: string) {
  const { code, type, percent, amountCents, duration, validFrom, validTo, ...further } = fields
  const { count: _, prefix: __, ...rest } = further
  const isPercent = type === 'percent'
  return {
    ...rest,
    ...{ code: code.trim(), type, duration, currency },
    percentBasisPoints: isPercent ? Math.round((percent ?? 0) * 100) : null,
    amountCents: isPercent ? null : amountCents,
    durationCycles: duration === 'cycles' ? fields.durationCycles : null,
    validFrom: validFrom ? `${validFrom}T00:00:00.000Z` : null,
    validTo: validTo ? `${validTo}T23:59:59.999Z` : null,
  }
}

/** The alphabet of codes, without characters that are easily confused. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function randomCode(): string {
  const numbers = crypto.getRandomValues(new Uint8Array(8))
  return [...numbers].map((it) => LETTERS[it % LETTERS.length]).join('')
}

// Loaded separately, because its fields for several values are as large as all others together.
const Scope = lazy(async () => ({ default: (await import('./coupon-scope.tsx')).Scope }))
const CouponCodes = lazy(async () => ({
  default: (await import('./coupon-codes.tsx')).CouponCodes,
}))

/** The terms of many coupons: first what would be created, then their codes. */
export function CouponBatch({ close }: { close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const [tried, show] = useState<Tried | null>(null)
  const form = useForm({
    name: 'coupons:batch',
    saved: fieldsOf(null),
    call: (wanted, intent) =>
      client.POST('/v1/admin/coupons/generate', {
        body: { ...batchOf(wanted), dryRun: true },
        ...intent,
      }),
    edits: null,
    changes: [],
    done: (codes) => show({ body: batchOf(form.fields), codes }),
  })
  const { fields, set, text, errors } = form
  if (tried) {
    return (
      <Suspense>
        <CouponCodes {...{ tried, close }} back={() => show(null)} done={form.reset} />
      </Suspense>
    )
  }
  return (
    <FormDialog
      atSide
      title={texts.batch}
      form={form}
      close={close}
      save={texts.batchCheck}
      isIncomplete={fields.count === null}
    >
      <div className="grid cols-2">
        <NumberField
          name="count"
          label={texts.batchCount}
          value={fields.count}
          error={errors.count}
          required
          change={(count) => set({ count })}
        />
        <TextInput {...text('prefix')} label={texts.prefix} autoComplete="off" maxLength={30} />
      </div>
      <Terms form={form} currency={boot.currency} />
    </FormDialog>
  )
}

function batchOf(fields: Fields) {
  const { code: _, ...body } = bodyOf(fields, boot.currency)
  return { ...body, count: fields.count ?? 0, prefix: fields.prefix.trim() }
}

/** A dry run: what was requested, and what it would create. */
export type Tried = {
  readonly body: ReturnType<typeof batchOf>
  readonly codes: components['schemas']['CouponCodes']
}

/** Creates or edits a coupon. */
export function CouponDrawer({ coupon, close }: { coupon: Coupon | null; close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const currency = coupon?.currency ?? boot.currency
  const params = { path: { id: coupon?.id ?? '' } }
  const form = useForm({
    name: `coupon:${coupon?.id ?? 'new'}`,
    saved: fieldsOf(coupon),
    call: (wanted, intent) => {
      const body = bodyOf(wanted, currency)
      return coupon
        ? client.PATCH('/v1/admin/coupons/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/coupons', { body, ...intent })
    },
    edits: coupon && { read: () => client.GET('/v1/admin/coupons/{id}', { params }), fieldsOf },
    changes: [['coupons']],
    done: ({ code }) => {
      told(coupon ? texts.saved : texts.created(code))
      close()
    },
  })
  const { set, text } = form
  return (
    <FormDialog
      atSide
      title={coupon ? texts.edit(coupon.code) : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={coupon ? <Removal coupon={coupon} close={close} /> : null}
    >
      <div className="row bottom">
        <TextInput
          {...text('code')}
          className="grow"
          label={texts.code}
          required
          autoComplete="off"
          data-autofocus
        />
        <Button variant="default" onClick={() => set({ code: randomCode() })}>
          {texts.generate}
        </Button>
      </div>
      <Terms form={form} currency={currency} />
    </FormDialog>
  )
}

type Form = Pick<
  ReturnType<typeof useForm<Fields, Coupon>>,
  'choice' | 'text' | 'flag' | 'errors'
> & {
  readonly fields: Fields
  readonly set: (change: Partial<Fields>) => void
}

/** The discount of a coupon, and who may use it when. */
function Terms({ form, currency }: { form: Form; currency: string }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const { fields, set, text, choice, flag, errors } = form
  return (
    <>
      <SegmentedControl
        aria-label={texts.type}
        value={fields.type}
        data={(['percent', 'fixed'] as const).map((value) => ({
          value,
          label: texts.types[value],
        }))}
        onChange={(type) => set({ type: type === 'fixed' ? 'fixed' : 'percent' })}
      />
      {fields.type === 'percent' ? (
        <NumberField
          name="percentBasisPoints"
          label={texts.percent}
          unit="%"
          digits={2}
          value={fields.percent}
          error={errors.percent ?? errors.percentBasisPoints}
          required
          change={(percent) => set({ percent })}
        />
      ) : (
        <MoneyField
          name="amountCents"
          label={texts.amount}
          currency={currency}
          cents={fields.amountCents}
          error={errors.amountCents}
          required
          onCents={(amountCents) => set({ amountCents })}
        />
      )}
      <Select
        {...choice('duration')}
        label={texts.duration}
        allowDeselect={false}
        data={(['once', 'cycles', 'forever'] as const).map((value) => ({
          value,
          label: texts.durations[value],
        }))}
      />
      {fields.duration === 'cycles' ? (
        <NumberField
          name="durationCycles"
          label={texts.cycles}
          value={fields.durationCycles}
          error={errors.durationCycles}
          required
          change={(durationCycles) => set({ durationCycles })}
        />
      ) : null}
      <h3 className="legend-label">{texts.limits}</h3>
      <div className="grid cols-2">
        <TextInput {...text('validFrom')} type="date" label={texts.from} />
        <TextInput {...text('validTo')} type="date" label={texts.until} />
      </div>
      <div className="grid cols-2">
        <NumberField
          name="maxRedemptions"
          label={texts.limit}
          placeholder={texts.noLimit}
          value={fields.maxRedemptions}
          error={errors.maxRedemptions}
          change={(maxRedemptions) => set({ maxRedemptions })}
        />
        <NumberField
          name="maxRedemptionsPerUser"
          label={texts.perPerson}
          placeholder={texts.noLimit}
          value={fields.maxRedemptionsPerUser}
          error={errors.maxRedemptionsPerUser}
          change={(maxRedemptionsPerUser) => set({ maxRedemptionsPerUser })}
        />
      </div>
      <MoneyField
        name="minimumCents"
        label={texts.minimum}
        currency={currency}
        cents={fields.minimumCents}
        error={errors.minimumCents}
        onCents={(minimumCents) => set({ minimumCents })}
      />
      <Suspense>
        <Scope {...{ fields, set }} />
      </Suspense>
      <Switch {...flag('newCustomersOnly')} label={texts.newOnly} />
      <Switch {...flag('includeSetupFee')} label={texts.setupFee} />
      <Switch {...flag('stackable')} label={texts.stackable} />
    </>
  )
}

function Removal({ coupon, close }: { coupon: Coupon; close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle(coupon.code)}
      call={() => client.DELETE('/v1/admin/coupons/{id}', { params: { path: { id: coupon.id } } })}
      changes={[['coupons']]}
      told={texts.removed}
      done={close}
    >
      {texts.removeText}
    </RemoveButton>
  )
}
