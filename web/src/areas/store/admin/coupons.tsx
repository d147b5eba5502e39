import type { components } from '@moorage/client'
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
  SearchFilter,
  Tag,
  type Tone,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'

type Coupon = components['schemas']['Coupon']
type State = 'active' | 'planned' | 'ended' | 'usedUp'

const TONES: Readonly<Record<State, Tone>> = {
  ...{ active: 'active', planned: 'waiting', ended: 'ended', usedUp: 'ended' },
}

function stateOf({ validFrom, validTo, maxRedemptions, redemptions, archivedAt }: Coupon): State {
  if (archivedAt) return 'ended'
  const now = new Date().toISOString()
  if (validFrom && validFrom > now) return 'planned'
  if (validTo && validTo <= now) return 'ended'
  return maxRedemptions !== null && redemptions >= maxRedemptions ? 'usedUp' : 'active'
}

/** Its kinds of fields make it larger than the list, so it is loaded when it is opened. */
const CouponDrawer = lazy(async () => ({
  default: (await import('./coupon-drawer.tsx')).CouponDrawer,
}))

const CouponBatch = lazy(async () => ({
  default: (await import('./coupon-drawer.tsx')).CouponBatch,
}))

/** Promo codes, their discounts, and their number of uses. */
export function Coupons() {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const mayWrite = useMay()('store:write')
  const { search } = useListAddress()
  const [editing, edit] = useState<Coupon | 'new' | 'batch' | null>(null)
  const code = search.q?.trim()
  const archived = search.archived === 'true'
  const list = useList(['coupons', code, archived], (where, signal) =>
    client.GET('/v1/admin/coupons', {
      params: { query: { ...where, limit: 50, archived, ...(code && { code }) } },
      signal,
    }),
  )
  const columns = useColumns(mayWrite && !archived ? edit : null)
  const restoring = useRestoreColumn()
  const add = (
    <>
      <Button variant="default" onClick={() => edit('batch')}>
        {texts.batch}
      </Button>
      <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
        {texts.add}
      </Button>
    </>
  )
  return (
    <Page title={texts.title} sub={texts.sub} actions={mayWrite ? add : null}>
      <DataList
        name="coupons"
        views="coupons"
        caption={texts.title}
        list={list}
        columns={archived && mayWrite ? [...columns, restoring] : columns}
        filters={
          <>
            <SearchFilter label={texts.search} />
            <ChoiceFilter
              name="archived"
              label={texts.show}
              options={[{ value: 'true', label: texts.archived }]}
            />
          </>
        }
        empty={
          <Empty icon={I.Ticket} title={texts.none}>
            {texts.noneText}
          </Empty>
        }
      />
      {editing === 'batch' ? (
        <Suspense>
          <CouponBatch close={() => edit(null)} />
        </Suspense>
      ) : null}
      {editing && editing !== 'batch' ? (
        <Suspense>
          <CouponDrawer coupon={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

/** The column with the button that restores an archived coupon. */
function useRestoreColumn(): DataColumn<Coupon> {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.coupons
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/coupons/{id}/restore', { params: { path: { id } }, ...intent }),
    { changes: [['coupons']], done: ({ code }) => told(texts.restored(code)) },
  )
  return {
    ...{ id: 'restore', head: texts.restore, silent: true, right: true, small: 'second' },
    cell: ({ id, code }) => (
      <Button
        size="compact-sm"
        variant="default"
        loading={restore.isPending && restore.variables === id}
        aria-label={`${texts.restore}: ${code}`}
        onClick={() => restore.mutate(id)}
      >
        {texts.restore}
      </Button>
    ),
  }
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
