import { client } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  refused,
  SearchFilter,
  SegmentedControl,
  Tag,
  useChoice,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { Commissions } from './commissions.tsx'
import { Rates } from './rates.tsx'
import { AFFILIATE_TONES, type Affiliate } from './reads.ts'

const VIEWS = [
  { value: 'affiliates', View: List },
  { value: 'commissions', View: Commissions },
  { value: 'rates', View: Rates },
] as const

/** The affiliate programme: who refers customers, what they earned, and the rates of products. */
export function Affiliates() {
  const { affiliates } = useAdminTexts()
  const { search, set } = useListAddress()
  const shown = VIEWS.find(({ value }) => value === search.view) ?? VIEWS[0]
  return (
    <Page
      wide
      title={affiliates.title}
      sub={affiliates.sub}
      actions={shown.value === 'affiliates' ? <AvailableAmounts /> : null}
    >
      <div className="hscroll tools">
        <SegmentedControl
          aria-label={affiliates.views}
          value={shown.value}
          data={VIEWS.map(({ value }) => ({ value, label: affiliates[value] }))}
          onChange={(view) =>
            set({
              view: view === 'affiliates' ? undefined : view,
              ...{ status: undefined, code: undefined, toReview: undefined },
            })
          }
        />
      </div>
      <shown.View />
    </Page>
  )
}

/** The available commission of all affiliates, as a file for transfers. */
function AvailableAmounts() {
  const { affiliates } = useAdminTexts()
  const { common } = useTexts()
  const save = () =>
    saveFile(
      'available-commission.csv',
      client.GET('/v1/admin/affiliates/payouts', { parseAs: 'blob' }),
    ).catch((error: Error) => refused(common.refused, error.message))
  return (
    <Button
      variant="default"
      leftSection={<I.Download size={16} stroke={1.75} aria-hidden />}
      onClick={() => void save()}
    >
      {affiliates.payoutList}
    </Button>
  )
}

const STATUSES = ['active', 'suspended', 'closed'] as const

function List() {
  const { affiliates } = useAdminTexts()
  const { search } = useListAddress()
  const status = useChoice('status', affiliates.statusHead, STATUSES, affiliates.status)
  const query = { ...status.query, ...(search.code && { code: search.code }) }
  const list = useList(['admin', 'affiliates', 'list', query], (where, signal) =>
    client.GET('/v1/admin/affiliates', { params: { query: { ...where, ...query } }, signal }),
  )
  return (
    <DataList
      name="affiliates"
      views="affiliates"
      caption={affiliates.title}
      list={list}
      columns={useColumns()}
      filters={
        <>
          <SearchFilter name="code" label={affiliates.find} />
          {status.filter}
        </>
      }
      empty={
        <Empty icon={I.Gift} title={affiliates.none}>
          {affiliates.noneText}
        </Empty>
      }
    />
  )
}

function useColumns(): readonly DataColumn<Affiliate>[] {
  const { affiliates } = useAdminTexts()
  const { money, number, date } = useFormats()
  const availableOf = ({ totals }: Affiliate) =>
    totals.map((it) => money(it.availableCents, it.currency)).join(', ') || '–'
  return [
    {
      ...{ id: 'name', head: affiliates.name, value: ({ name }) => name },
      cell: ({ id, name, email }) => (
        <span className="cut who block">
          <Link to="/admin/affiliates/$id" params={{ id }} className="rowlink cut block">
            {name}
          </Link>
          <span className="sub cut block">{email}</span>
        </span>
      ),
    },
    {
      ...{ id: 'code', head: affiliates.code, small: 'hide', value: ({ code }) => code },
      cell: ({ code }) => <span className="mono">{code}</span>,
    },
    {
      ...{ id: 'status', head: affiliates.statusHead, small: 'second' },
      value: ({ status }) => affiliates.status[status],
      cell: ({ status }) => <Tag tone={AFFILIATE_TONES[status]}>{affiliates.status[status]}</Tag>,
    },
    {
      ...{ id: 'clicks', head: affiliates.clicks, right: true, small: 'hide' },
      value: ({ clickCount }) => clickCount,
      cell: ({ clickCount }) => number(clickCount),
    },
    {
      ...{ id: 'referrals', head: affiliates.referrals, right: true, small: 'hide' },
      value: ({ referralCount }) => referralCount,
      cell: ({ referralCount }) => number(referralCount),
    },
    {
      ...{ id: 'orders', head: affiliates.orders, right: true, small: 'hide' },
      value: ({ orderCount }) => orderCount,
      cell: ({ orderCount }) => number(orderCount),
    },
    {
      ...{ id: 'since', head: affiliates.date, right: true, small: 'hide', optional: true },
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => date(createdAt),
    },
    {
      ...{ id: 'available', head: affiliates.availableHead, right: true, small: 'second' },
      value: availableOf,
      cell: availableOf,
    },
  ]
}
