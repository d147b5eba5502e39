import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  amountOf,
  ConfirmButton,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Tag,
  ToggleFilter,
  type Tone,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import type { Commission } from './reads.ts'

const STATUSES = ['pending', 'available', 'reversed'] as const
const TONES: Readonly<Record<Commission['status'], Tone>> = {
  ...{ pending: 'waiting', available: 'active', reversed: 'ended' },
}

/** The commissions of all affiliates; some of them wait for a decision. */
export function Commissions() {
  const { affiliates } = useAdminTexts()
  const { search } = useListAddress()
  const status = useChoice(
    ...(['status', affiliates.statusHead, STATUSES, affiliates.commissionStatus] as const),
  )
  const query = { ...status.query, ...(search.toReview === 'true' && { toReview: true }) }
  const list = useList(['admin', 'commissions', query], (where, signal) =>
    client.GET('/v1/admin/commissions', { params: { query: { ...where, ...query } }, signal }),
  )
  return (
    <DataList
      name="commissions"
      views="commissions"
      caption={affiliates.commissions}
      list={list}
      columns={useCommissionColumns()}
      filters={
        <>
          <ToggleFilter name="toReview" label={affiliates.toReview} />
          {status.filter}
        </>
      }
      empty={
        <Empty icon={I.Gift} title={affiliates.noCommissions}>
          {affiliates.noCommissionsText}
        </Empty>
      }
    />
  )
}

const isToReview = ({ flags, reviewedAt }: Commission) => flags.length > 0 && reviewedAt === null

/** The columns of commissions. On the page of an affiliate there is less room, and no link to it. */
export function useCommissionColumns(ofOne = false): readonly DataColumn<Commission>[] {
  const { affiliates } = useAdminTexts()
  const { money, date } = useFormats()
  const may = useMay()
  const amount = ({ amountCents, currency }: Commission) => money(amountCents, currency)
  return [
    {
      ...{ id: 'created', head: affiliates.date, value: ({ createdAt }) => createdAt },
      cell: (it) => (
        <span className="who block">
          {may('invoices:read') ? (
            <Link
              to="/admin/invoices/$id"
              params={{ id: it.invoiceId }}
              className="rowlink"
              aria-label={`${affiliates.openInvoice}, ${date(it.createdAt)}, ${amount(it)}`}
            >
              {date(it.createdAt)}
            </Link>
          ) : (
            date(it.createdAt)
          )}
          {it.flags.map((flag) => (
            <span key={flag} className="sub block">
              {affiliates.flags[flag] ?? flag}
            </span>
          ))}
        </span>
      ),
    },
    ...(ofOne
      ? []
      : [
          {
            ...{ id: 'affiliate', head: affiliates.affiliate, small: 'hide' as const },
            cell: (it: Commission) => (
              <Link
                to="/admin/affiliates/$id"
                params={{ id: it.affiliateId }}
                className="above"
                aria-label={`${affiliates.openAffiliate}, ${date(it.createdAt)}, ${amount(it)}`}
              >
                {affiliates.openAffiliate}
              </Link>
            ),
          },
        ]),
    {
      ...{ id: 'status', head: affiliates.statusHead, small: 'second' },
      value: ({ status }) => affiliates.commissionStatus[status],
      cell: (it) => <Status commission={it} />,
    },
    ...(ofOne
      ? []
      : [
          {
            ...{ id: 'base', head: affiliates.base, right: true, small: 'hide' as const },
            value: ({ baseCents, currency }: Commission) => amountOf(baseCents, currency),
            cell: ({ baseCents, currency }: Commission) => money(baseCents, currency),
          },
        ]),
    {
      ...{ id: 'usable', head: affiliates.usableFrom, right: true, small: 'hide' },
      value: ({ availableAt }) => availableAt,
      cell: ({ availableAt }) => <span className="dim">{date(availableAt)}</span>,
    },
    {
      ...{ id: 'amount', head: affiliates.amount, right: true, small: 'second' },
      value: ({ amountCents, currency }) => amountOf(amountCents, currency),
      cell: amount,
    },
    ...(may('affiliation:write')
      ? [
          {
            ...{ id: 'decide', head: affiliates.toReview, silent: true, right: true },
            cell: (it: Commission) => <Decision commission={it} />,
          },
        ]
      : []),
  ]
}

function Status({ commission: it }: { commission: Commission }) {
  const { affiliates } = useAdminTexts()
  if (isToReview(it)) return <Tag tone="attention">{affiliates.toReview}</Tag>
  return (
    <Tag tone={TONES[it.status]}>
      {it.rejectedAt ? affiliates.rejected : affiliates.commissionStatus[it.status]}
    </Tag>
  )
}

/** Approves or rejects a commission that waits for a decision. */
function Decision({ commission: it }: { commission: Commission }) {
  const { affiliates } = useAdminTexts()
  const { money, date } = useFormats()
  const amount = money(it.amountCents, it.currency)
  const params = { path: { id: it.id } }
  const shared = {
    ...{ variant: 'default', size: 'compact-sm' },
    changes: [
      ['admin', 'commissions'],
      ['admin', 'affiliates'],
      ['admin', 'attention'],
    ],
  } as const
  const named = (verb: string) => `${verb}, ${date(it.createdAt)}, ${amount}`
  if (!isToReview(it)) return null
  return (
    <span className="row ends above">
      <ConfirmButton
        {...shared}
        verb={affiliates.approve}
        label={named(affiliates.approve)}
        title={affiliates.approveTitle(amount)}
        call={(_, intent) =>
          client.POST('/v1/admin/commissions/{id}/approve', { params, ...intent })
        }
        told={affiliates.approved}
      >
        {affiliates.approveText}
      </ConfirmButton>
      <ConfirmButton
        {...shared}
        isDangerous
        verb={affiliates.reject}
        label={named(affiliates.reject)}
        title={affiliates.rejectTitle(amount)}
        call={(_, intent) =>
          client.POST('/v1/admin/commissions/{id}/reject', { params, ...intent })
        }
        told={affiliates.rejectedNow}
      >
        {affiliates.rejectText}
      </ConfirmButton>
    </span>
  )
}
