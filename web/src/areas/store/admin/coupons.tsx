import type { components } from '@moorage/client'
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
  Page,
  SearchFilter,
  Tag,
  type Tone,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'

type Coupon = components['schemas']['Coupon']
type State = 'active' | 'planned' | 'ended' | 'usedUp'

const TONES: Readonly<Record<State, Tone>> = {
  ...{ active: 'active', planned: 'waiting', ended: 'ended', usedUp: 'ended' },
}

function stateOf({ validFrom, validTo, maxRedemptions, redemptions }: Coupon): State {
  const now = new Date().toISOString()
  if (validFrom && validFrom > now) return 'planned'
  if (validTo && validTo <= now) return 'ended'
  return maxRedemptions !== null && redemptions >= maxRedemptions ? 'usedUp' : 'active'
}

/** With its kinds of fields it weighs more than the list: it is loaded when it is opened. */
const CouponDrawer = lazy(async () => ({
  default: (await import('./coupon-drawer.tsx')).CouponDrawer,
}))

/** Promo codes, their discounts, and their number of uses. */
export function Coupons() {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const mayWrite = useMay()('store:write')
  const { search } = useListAddress()
  const [editing, edit] = useState<Coupon | 'new' | null>(null)
  const code = search.q?.trim()
  const list = useList(['coupons', code], (where, signal) =>
    client.GET('/v1/admin/coupons', {
      params: { query: { ...where, limit: 50, ...(code && { code }) } },
      signal,
    }),
  )
  const columns = useColumns(mayWrite ? edit : null)
  const add = (
    <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
      {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} sub={texts.sub} actions={mayWrite ? add : null}>
      <DataList
        name="coupons"
        caption={texts.title}
        list={list}
        columns={columns}
        filters={<SearchFilter label={texts.search} />}
        empty={
          <Empty icon={I.Ticket} title={texts.none}>
            {texts.noneText}
          </Empty>
        }
      />
      {editing ? (
        <Suspense>
          <CouponDrawer coupon={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

function useColumns(edit: ((coupon: Coupon) => void) | null): readonly DataColumn<Coupon>[] {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const { money, rate, date, number } = useFormats()
  const offOf = (it: Coupon) =>
    it.type === 'percent'
      ? rate(it.percentBasisPoints ?? 0)
      : money(it.amountCents ?? 0, it.currency)
  const usedOf = ({ redemptions, maxRedemptions }: Coupon) =>
    maxRedemptions === null
      ? number(redemptions)
      : texts.usedOf(number(redemptions), number(maxRedemptions))
  return [
    {
      ...{ id: 'code', head: texts.code, value: ({ code }: Coupon) => code },
      cell: (it) =>
        edit ? (
          <button
            type="button"
            className="rowlink mono"
            aria-label={texts.edit(it.code)}
            onClick={() => edit(it)}
          >
            {it.code}
          </button>
        ) : (
          <span className="mono">{it.code}</span>
        ),
    },
    {
      ...{ id: 'off', head: texts.off, right: true, small: 'second' },
      value: offOf,
      cell: offOf,
    },
    {
      ...{ id: 'duration', head: texts.duration, small: 'hide' },
      value: ({ duration }) => texts.durations[duration],
      cell: ({ duration }) => texts.durations[duration],
    },
    {
      ...{ id: 'used', head: texts.used, right: true, small: 'hide' },
      value: ({ redemptions }) => redemptions,
      cell: usedOf,
    },
    {
      ...{ id: 'until', head: texts.until, small: 'sub' },
      value: ({ validTo }) => validTo,
      cell: ({ validTo }) => (validTo ? date(validTo) : texts.always),
    },
    {
      ...{ id: 'state', head: texts.status, small: 'hide' },
      value: (it) => texts.states[stateOf(it)],
      cell: (it) => <Tag tone={TONES[stateOf(it)]}>{texts.states[stateOf(it)]}</Tag>,
    },
  ]
}
