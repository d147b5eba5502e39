import type { components } from '@moorage/client'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActButton,
  type DataColumn,
  DataList,
  Empty,
  I,
  Tag,
  TextInput,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'

type Difference = components['schemas']['ReconciliationBreak']

const STATUSES = ['open', 'resolved'] as const

/** Reconciliation differences between a payment provider and our books. */
export function Differences() {
  const { payments } = useAdminTexts()
  const status = useChoice('status', payments.statusHead, STATUSES, payments.difference)
  const list = useList(['admin', 'differences', status.query], (where, signal) =>
    client.GET('/v1/admin/breaks', {
      params: { query: { ...where, ...status.query } },
      signal,
    }),
  )
  return (
    <DataList
      name="differences"
      caption={payments.differences}
      list={list}
      columns={useColumns()}
      filters={status.filter}
      empty={
        <Empty icon={I.Scale} title={payments.noDifferences}>
          {payments.noDifferencesText}
        </Empty>
      }
    />
  )
}

function useColumns(): readonly DataColumn<Difference>[] {
  const { payments } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const kindOf = ({ kind }: Difference) =>
    Object.entries(payments.kinds).find(([name]) => name === kind)?.[1] ?? kind.replaceAll('_', ' ')
  const detailsOf = ({ details }: Difference) =>
    Object.entries(details)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join(', ')
  return [
    { id: 'kind', head: payments.differences, value: kindOf, cell: kindOf },
    {
      ...{ id: 'status', head: payments.statusHead, small: 'second' },
      value: ({ status }) => payments.difference[status],
      cell: ({ status }) => (
        <Tag tone={status === 'open' ? 'attention' : 'ended'}>{payments.difference[status]}</Tag>
      ),
    },
    {
      ...{ id: 'object', head: payments.object, small: 'sub', value: ({ objectId }) => objectId },
      cell: ({ objectId }) => <span className="mono cut block narrow">{objectId}</span>,
    },
    {
      ...{ id: 'details', head: payments.details, small: 'hide', value: detailsOf },
      cell: (it) => <span className="dim cut block narrow">{detailsOf(it)}</span>,
    },
    {
      ...{ id: 'created', head: payments.created, right: true, small: 'hide' },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <span className="dim">{date(createdAt)}</span>,
    },
    {
      ...{ id: 'resolve', head: payments.resolve, right: true, silent: true },
      value: ({ resolution }) => resolution,
      cell: ({ id, status, resolution }) =>
        status === 'open' && may('gateways:write') ? (
          <span className="above">
            <Resolve id={id} />
          </span>
        ) : (
          <span className="dim">{resolution}</span>
        ),
    },
  ]
}

function Resolve({ id }: { id: string }) {
  const { payments } = useAdminTexts()
  return (
    <ActButton
      label={payments.resolve}
      title={payments.resolveTitle}
      consequence={payments.resolveText}
      verb={payments.resolve}
      initial={{ resolution: '' }}
      isIncomplete={({ resolution }) => resolution.trim() === ''}
      call={({ resolution }, intent) =>
        client.POST('/v1/admin/breaks/{id}/resolve', {
          params: { path: { id } },
          body: { resolution: resolution.trim() },
          ...intent,
        })
      }
      changes={[
        ['admin', 'differences'],
        ['admin', 'attention'],
      ]}
      told={payments.resolved}
    >
      {({ text }) => <TextInput {...text('resolution')} label={payments.resolution} />}
    </ActButton>
  )
}
