import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { gateways } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  amountOf,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Select,
  Tag,
  type Tone,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'

type Entry = components['schemas']['BankEntry']
type Statement = components['schemas']['BankStatement']

const STATUSES = ['open', 'new', 'booked', 'dismissed'] as const
export const ENTRY_TONES: Readonly<Record<Entry['status'], Tone>> = {
  new: 'waiting',
  open: 'attention',
  booked: 'active',
  dismissed: 'ended',
}

/** Bank entries and their invoices. */
export function BankEntries() {
  const { payments } = useAdminTexts()
  const { search } = useListAddress()
  const status = useChoice('status', payments.statusHead, STATUSES, payments.entryStatus)
  const { statementId } = search
  const list = useList(
    ['admin', 'bank-entries', 'list', status.query, statementId],
    (where, signal) =>
      client.GET('/v1/admin/bank-entries', {
        params: {
          query: { ...where, ...status.query, ...(statementId && { statementId }) },
        },
        signal,
      }),
  )
  return (
    <DataList
      name="bank-entries"
      views="bank_entries"
      caption={payments.bank}
      list={list}
      columns={useEntryColumns()}
      filters={status.filter}
      empty={
        <Empty icon={I.BuildingBank} title={payments.noEntries}>
          {payments.noEntriesText}
        </Empty>
      }
    />
  )
}

function useEntryColumns(): readonly DataColumn<Entry>[] {
  const { payments } = useAdminTexts()
  const { money, date } = useFormats()
  return [
    {
      ...{ id: 'payer', head: payments.payer, value: ({ payerName }) => payerName },
      cell: ({ id, payerName, payerIban }) => (
        <Link to="/admin/payments/bank/$id" params={{ id }} className="rowlink">
          {payerName ?? payerIban ?? payments.entry}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: payments.statusHead, small: 'second' },
      value: ({ status }) => payments.entryStatus[status],
      cell: ({ status }) => <Tag tone={ENTRY_TONES[status]}>{payments.entryStatus[status]}</Tag>,
    },
    {
      ...{ id: 'purpose', head: payments.remittance, small: 'sub' },
      value: ({ remittance }) => remittance,
      cell: ({ remittance }) => <span className="dim cut block narrow">{remittance ?? '–'}</span>,
    },
    {
      ...{ id: 'booked', head: payments.booked, right: true, small: 'hide' },
      value: ({ bookedOn }) => bookedOn,
      cell: ({ bookedOn }) => <span className="dim">{date(bookedOn)}</span>,
    },
    {
      ...{ id: 'amount', head: payments.amount, right: true, small: 'second' },
      value: ({ amountCents, currency }) => amountOf(amountCents, currency),
      cell: ({ amountCents, currency }) => money(amountCents, currency),
    },
  ]
}

/** The imported bank statements. */
export function BankStatements() {
  const { payments } = useAdminTexts()
  const list = useList(['admin', 'bank-statements'], (where, signal) =>
    client.GET('/v1/admin/bank-statements', { params: { query: where }, signal }),
  )
  return (
    <DataList
      name="bank-statements"
      caption={payments.statements}
      list={list}
      columns={useStatementColumns()}
      empty={
        <Empty icon={I.BuildingBank} title={payments.noStatements}>
          {payments.noEntriesText}
        </Empty>
      }
    />
  )
}

function useStatementColumns(): readonly DataColumn<Statement>[] {
  const { payments } = useAdminTexts()
  const { moment, number } = useFormats()
  return [
    {
      ...{ id: 'file', head: payments.file, value: ({ fileName, format }) => fileName ?? format },
      cell: ({ id, fileName, format }) => (
        <Link to="/admin/payments" search={{ view: 'bank', statementId: id }} className="rowlink">
          {fileName ?? format}
        </Link>
      ),
    },
    {
      ...{ id: 'entries', head: payments.entries, right: true, small: 'second' },
      value: ({ entryCount }) => entryCount,
      cell: ({ entryCount }) => number(entryCount),
    },
    {
      ...{ id: 'fresh', head: payments.fresh, right: true, small: 'hide' },
      value: ({ newCount }) => newCount,
      cell: ({ newCount }) => number(newCount),
    },
    {
      ...{ id: 'read', head: payments.readAt, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{moment(createdAt)}</span>,
    },
  ]
}

export function UploadStatement() {
  const { payments } = useAdminTexts()
  const known = useQuery(gateways).data?.data ?? []
  const banks = known.filter(({ driver }) => driver === 'bank_transfer')
  return (
    <ActButton
      variant="filled"
      label={payments.upload}
      icon={I.Upload}
      title={payments.uploadTitle}
      consequence={payments.uploadText}
      verb={payments.upload}
      initial={{ gatewayId: '' }}
      secrets={{ fileName: '', content: '' }}
      isIncomplete={({ gatewayId, content }) => !gatewayId || !content}
      call={(fields, intent) =>
        client.POST('/v1/admin/bank-statements', {
          body: { ...fields, format: 'camt.053' },
          ...intent,
        })
      }
      changes={[
        ['admin', 'bank-statements'],
        ['admin', 'bank-entries'],
        ['admin', 'attention'],
      ]}
      told={payments.uploaded}
    >
      {({ set, choice }) => (
        <>
          <Select
            {...choice('gatewayId')}
            label={payments.uploadGateway}
            data={banks.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <label className="stack s4">
            <span className="strong">{payments.uploadFile}</span>
            <input
              type="file"
              accept=".xml,text/xml,application/xml"
              onChange={async (event) => {
                const file = event.currentTarget.files?.[0]
                if (file) set({ fileName: file.name, content: await file.text() })
              }}
            />
          </label>
        </>
      )}
    </ActButton>
  )
}
