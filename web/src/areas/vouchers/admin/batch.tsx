import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  ConfirmButton,
  type DataColumn,
  DataList,
  Facts,
  I,
  Link,
  Loaded,
  Notice,
  Page,
  refused,
  Tag,
  type Tone,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'
import { type Batch, batch as batchRead, CHANGES, type Voucher, vouchersKey } from './reads.ts'

const Reopen = lazy(async () => ({ default: (await import('./dialogs.tsx')).Reopen }))

/** How often a batch is read again while its codes are being created, in ms. */
const CREATING_MS = 1000

/** One batch: its codes to download, and its vouchers. */
export function AdminVoucherBatch() {
  const { id } = useParams({ from: '/admin/vouchers/$id' })
  const query = useQuery({
    ...batchRead(id),
    refetchInterval: ({ state }) => (isPending(state.data) ? CREATING_MS : false),
  })
  return (
    <Loaded isScreen query={query}>
      {(it) => <Shown key={it.id} batch={it} />}
    </Loaded>
  )
}

function isPending(batch: Batch | undefined): boolean {
  return batch?.codes === 'pending' && batch.voidedAt === null
}

type BatchProps = { readonly batch: Batch }

function Shown({ batch }: BatchProps) {
  const { vouchers } = useAdminTexts().moneyRules
  const { money, moment, number } = useFormats()
  const mayWrite = useMay()('vouchers:write')
  const { id, name, amountCents, currency, count, redeemed, expiresAt, createdAt } = batch
  const path = { params: { path: { id } } }
  return (
    <Page
      wide
      title={name}
      sub={`${vouchers.batch} · ${money(amountCents, currency)}`}
      actions={
        mayWrite && batch.voidedAt === null ? (
          <ConfirmButton
            isDangerous
            variant="default"
            verb={vouchers.voidBatch}
            title={vouchers.voidBatchTitle(name)}
            call={(_, intent) =>
              client.POST('/v1/admin/vouchers/batches/{id}/void', { ...path, ...intent })
            }
            changes={CHANGES}
            told={vouchers.voided}
          >
            {vouchers.voidBatchText}
          </ConfirmButton>
        ) : null
      }
    >
      <div className="grid split">
        <div className="stack">
          <Vouchers batch={batch} />
        </div>
        <div className="stack">
          <Codes batch={batch} />
          <Card title={vouchers.details}>
            <Facts
              rows={[
                [vouchers.redeemed, vouchers.redeemedOf(number(redeemed), number(count))],
                [vouchers.expires, expiresAt ? moment(expiresAt) : vouchers.never],
                [vouchers.created, moment(createdAt)],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  )
}

/** The codes: being created, to be downloaded, or deleted. */
function Codes({ batch }: BatchProps) {
  const { vouchers } = useAdminTexts().moneyRules
  const { common } = useTexts()
  const { moment, number } = useFormats()
  const mayWrite = useMay()('vouchers:write')
  const queries = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const { id, codes, codesUntil, downloadedAt, made, count, voidedAt } = batch
  const path = { params: { path: { id } } }
  const download = () => {
    setSaving(true)
    const file = client.POST('/v1/admin/vouchers/batches/{id}/download', {
      ...path,
      parseAs: 'blob',
    })
    saveFile(`vouchers-${id}.csv`, file)
      .catch((error: Error) => refused(common.refused, error.message))
      .finally(() => {
        setSaving(false)
        for (const queryKey of CHANGES) void queries.invalidateQueries({ queryKey })
      })
  }
  return (
    <Card title={vouchers.codes}>
      <div className="stack">
        <p role="status">
          {codes === 'pending' && !voidedAt ? vouchers.creating(number(made), number(count)) : null}
          {codes === 'available' ? vouchers.available : null}
          {codes === 'deleted' ? (voidedAt ? vouchers.isVoid : vouchers.deleted) : null}
        </p>
        {codes === 'available' && downloadedAt && codesUntil ? (
          <Notice tone="attention" title={vouchers.downloaded(moment(downloadedAt))}>
            {vouchers.deletedAt(moment(codesUntil))}
          </Notice>
        ) : null}
        {codes === 'available' && !downloadedAt && codesUntil ? (
          <p className="sub">{vouchers.deletedAt(moment(codesUntil))}</p>
        ) : null}
        {codes === 'available' && mayWrite ? (
          <div className="row wrap">
            <Button
              leftSection={<I.Download size={16} aria-hidden />}
              loading={isSaving}
              onClick={download}
            >
              {vouchers.download}
            </Button>
            {downloadedAt ? (
              <ConfirmButton
                variant="default"
                verb={vouchers.confirm}
                title={vouchers.confirmTitle}
                call={(_, intent) =>
                  client.POST('/v1/admin/vouchers/batches/{id}/confirm-download', {
                    ...path,
                    ...intent,
                  })
                }
                changes={CHANGES}
                told={vouchers.confirmed}
              >
                {vouchers.confirmText}
              </ConfirmButton>
            ) : null}
          </div>
        ) : null}
      </div>
    </Card>
  )
}

const STATES = ['active', 'redeemed', 'expired', 'void'] as const
const TONES: Readonly<Record<Voucher['state'], Tone>> = {
  ...{ active: 'waiting', redeemed: 'active', expired: 'ended', void: 'ended' },
}

function Vouchers({ batch: { id: batchId } }: BatchProps) {
  const { vouchers } = useAdminTexts().moneyRules
  const [reopening, reopen] = useState<Voucher | null>(null)
  const state = useChoice('state', vouchers.state, STATES, vouchers.states)
  const list = useList<Voucher>(vouchersKey(batchId, state.query), (where, signal) =>
    client.GET('/v1/admin/vouchers', {
      params: { query: { ...where, ...state.query, batchId } },
      signal,
    }),
  )
  return (
    <>
      <DataList
        name="vouchers-of-batch"
        caption={vouchers.title}
        list={list}
        columns={useColumns(reopen)}
        filters={state.filter}
        empty={<p className="dim inset">{vouchers.noCodes}</p>}
      />
      {reopening ? (
        <Suspense>
          <Reopen voucher={reopening} close={() => reopen(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

function useColumns(reopen: (voucher: Voucher) => void): readonly DataColumn<Voucher>[] {
  const { vouchers } = useAdminTexts().moneyRules
  const { moment } = useFormats()
  const may = useMay()
  const columns: DataColumn<Voucher>[] = [
    {
      ...{ id: 'code', head: vouchers.code, value: ({ last4 }: Voucher) => last4 },
      cell: ({ last4 }) => <span className="mono">···· {last4}</span>,
    },
    {
      ...{ id: 'state', head: vouchers.state, small: 'second' },
      value: ({ state }) => vouchers.states[state],
      cell: ({ state }) => <Tag tone={TONES[state]}>{vouchers.states[state]}</Tag>,
    },
    {
      ...{ id: 'redeemed', head: vouchers.redeemedAt, small: 'sub' },
      value: ({ redeemedAt }) => redeemedAt,
      cell: ({ redeemedAt, redeemedBy }) => {
        if (!redeemedAt || !redeemedBy) return '–'
        return (
          <>
            <span className="num">{moment(redeemedAt)}</span>
            {may('users:read') ? (
              <Link to="/admin/people/$id" params={{ id: redeemedBy }} className="block">
                {vouchers.customer}
              </Link>
            ) : null}
          </>
        )
      },
    },
  ]
  if (!may('vouchers:write')) return columns
  return [
    ...columns,
    {
      ...{ id: 'actions', head: vouchers.actions, silent: true, right: true, small: 'second' },
      cell: (it) => <VoucherActions voucher={it} reopen={reopen} />,
    },
  ]
}

type ActionsProps = { readonly voucher: Voucher; readonly reopen: (voucher: Voucher) => void }

function VoucherActions({ voucher, reopen }: ActionsProps) {
  const { vouchers } = useAdminTexts().moneyRules
  const { id, last4, state } = voucher
  if (state === 'expired') {
    return (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${vouchers.reopen}: ${last4}`}
        onClick={() => reopen(voucher)}
      >
        {vouchers.reopen}
      </Button>
    )
  }
  if (state !== 'active') return null
  return (
    <ConfirmButton
      isDangerous
      size="compact-sm"
      variant="default"
      verb={vouchers.voidOne}
      label={`${vouchers.voidOne}: ${last4}`}
      title={vouchers.voidOneTitle(last4)}
      call={(_, intent) =>
        client.POST('/v1/admin/vouchers/{id}/void', { params: { path: { id } }, ...intent })
      }
      changes={CHANGES}
      told={vouchers.voided}
    >
      {vouchers.voidOneText}
    </ConfirmButton>
  )
}
