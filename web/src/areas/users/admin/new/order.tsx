import type { paths } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client, read } from '../../../../api/client.ts'
import { useForm } from '../../../../api/forms.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { FormDialog, Loaded, NumberField, Select, TextInput, told } from '../../../../ui/index.ts'
import type { Wish } from '../../../services/option-fields.tsx'
import { products } from '../../../store/admin/reads.ts'
import { type Chosen, PersonSelect } from '../person-select.tsx'
import { OrderPreview } from './order-preview.tsx'
import { OrderedPlan } from './ordered-plan.tsx'

type Wanted =
  paths['/v1/admin/users/{id}/orders']['post']['requestBody']['content']['application/json']

const NOTHING = {
  ...{ productId: '', planId: '', quantity: 1 as number | null, coupon: '', locationId: '' },
  ...{ name: '', daysToPay: null as number | null },
  ...{ options: {} as Wish, environment: {} as Readonly<Record<string, string>> },
}
export type OrderFields = typeof NOTHING

/** A product of the shop with its order form, also a hidden one. */
const orderable = (id: string) =>
  read(['store', 'products', id], (signal) =>
    client.GET('/v1/store/products/{idOrSlug}', { params: { path: { idOrSlug: id } }, signal }),
  )

type Props = {
  /** Null on a page that is not about a customer: the form asks for one. */
  readonly customer: Chosen | null
  readonly close: () => void
}

/** An order for a customer, with its price before it is placed. It opens when it is placed. */
export function NewOrder({ customer, close }: Props) {
  const { orders } = useAdminTexts()
  const navigate = useNavigate()
  const form = useForm({
    name: `order-for:${customer?.id ?? ''}`,
    saved: {
      ...{ userId: customer?.id ?? '', person: customer?.name ?? '', email: customer?.email ?? '' },
      ...NOTHING,
    },
    edits: null,
    changes: [['admin']],
    call: ({ userId, ...wanted }, intent) =>
      client.POST('/v1/admin/users/{id}/orders', {
        params: { path: { id: userId } },
        body: bodyOf(wanted),
        ...intent,
      }),
    done: ({ id, number }) => {
      close()
      told(orders.created, number)
      void navigate({ to: '/admin/orders/$id', params: { id } })
    },
  })
  const { fields, set, text, errors } = form
  const { userId, person, email, productId, planId, quantity } = fields
  const sold = (useQuery(products).data ?? []).filter(({ sellable }) => sellable)
  const product = useQuery({ ...orderable(productId), enabled: productId !== '' })
  const isComplete = userId !== '' && planId !== '' && quantity !== null
  const wish = useSettled(isComplete ? previewOf(fields) : null)
  return (
    <FormDialog
      atSide
      title={customer ? orders.createFor(customer.name) : orders.create}
      save={orders.place}
      {...{ form, close }}
      isIncomplete={!isComplete}
    >
      {customer ? null : (
        <PersonSelect
          name="userId"
          label={orders.customer}
          description={orders.personHint}
          error={errors.userId}
          chosen={userId ? { id: userId, name: person, email } : null}
          choose={(it) =>
            set({ userId: it?.id ?? '', person: it?.name ?? '', email: it?.email ?? '' })
          }
          reasonAgainst={({ status }) => (status === 'active' ? null : orders.mayNotBuy)}
        />
      )}
      <Select
        name="productId"
        label={orders.product}
        required
        searchable
        nothingFoundMessage={orders.noProduct}
        value={productId || null}
        data={sold.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) =>
          set({ productId: id ?? '', planId: '', locationId: '', options: {}, environment: {} })
        }
      />
      {productId ? (
        <Loaded query={product} waiting="…">
          {(it) => <OrderedPlan key={it.id} product={it} {...{ fields, set, errors }} />}
        </Loaded>
      ) : null}
      <NumberField
        name="quantity"
        label={orders.quantity}
        value={quantity}
        change={(value) => set({ quantity: value })}
      />
      <TextInput {...text('coupon')} label={orders.coupon} maxLength={100} />
      <NumberField
        name="daysToPay"
        label={orders.daysToPay}
        description={orders.daysToPayHint}
        value={fields.daysToPay}
        change={(value) => set({ daysToPay: value })}
      />
      {wish && userId ? <OrderPreview userId={userId} wish={wish} /> : null}
      <p className="sub">{orders.placeHint}</p>
    </FormDialog>
  )
}

/** What is priced: the days to pay change no price. */
function previewOf(fields: OrderFields) {
  const { daysToPay: _, ...wish } = bodyOf(fields)
  return wish
}

function bodyOf(fields: OrderFields): Wanted {
  const { planId, quantity, coupon, locationId, name, options, environment, daysToPay } = fields
  const item = {
    ...{ planId, quantity: quantity ?? 1, options, environment },
    ...(name.trim() && { name: name.trim() }),
    ...(locationId && { locationId }),
  }
  return {
    items: [item],
    ...(coupon.trim() && { coupons: [coupon.trim()] }),
    ...(daysToPay !== null && { daysToPay }),
  }
}

const SETTLES_MS = 300

/** A value once it has not changed for a moment, so that not every key asks for a price. */
function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value)
  const written = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(JSON.parse(written)), SETTLES_MS)
    return () => clearTimeout(timer)
  }, [written])
  return settled
}
