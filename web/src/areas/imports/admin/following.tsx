import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  type Column,
  Empty,
  Facts,
  I,
  Link,
  Listed,
  Loaded,
  Table,
  Tag,
  type Tone,
  useFormats,
} from '../../../ui/index.ts'
import { reconciliationsRead } from './reads.ts'
import { SaveCsv } from './save-csv.tsx'

type Changes = components['schemas']['ImportChanges']
type Change = Changes['data'][number]
type Reconciliation = components['schemas']['ImportReconciliation']
type Reconciled = components['schemas']['ReconciledCustomer']
type Props = { readonly id: string }

const countsOf = (id: string) =>
  read(['imports', id, 'changes', 'counts'], (signal) =>
    client.GET('/v1/admin/imports/{id}/changes', {
      params: { path: { id }, query: { limit: 1 } },
      signal,
    }),
  )

const TONES: Readonly<Record<Change['change'], Tone>> = {
  ...{ new: 'active', changed: 'attention', gone: 'ended' },
}

/** What is new, changed or gone since the previous dump of the same system. */
export function DumpChanges({ id }: Props) {
  const { imports: texts } = useAdminTexts()
  return (
    <Loaded query={useQuery(countsOf(id))} waiting={null}>
      {({ comparedWith, counts }) =>
        comparedWith === null ? (
          <Card>
            <Empty icon={I.GitCompare} title={texts.noDumpBefore}>
              {texts.noDumpBeforeText}
            </Empty>
          </Card>
        ) : (
          <Compared {...{ id, comparedWith, counts }} />
        )
      }
    </Loaded>
  )
}

type ComparedProps = Props & {
  readonly comparedWith: string
  readonly counts: Changes['counts']
}

function Compared({ id, comparedWith, counts }: ComparedProps) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const list = useList(['imports', id, 'changes', 'list'], (where, signal) =>
    client.GET('/v1/admin/imports/{id}/changes', {
      params: { path: { id }, query: { ...where, limit: 50 } },
      signal,
    }),
  )
  const cents = (amount: number | null) => (amount === null ? '–' : number(amount / 100))
  const columns: readonly Column<Change>[] = [
    {
      head: texts.resource,
      cell: ({ resource, id: former }) => (
        <>
          {texts.changed[resource]} <span className="mono dim">{former}</span>
        </>
      ),
    },
    {
      ...{ head: texts.change, small: 'second' },
      cell: ({ change }) => <Tag tone={TONES[change]}>{texts.changeKinds[change]}</Tag>,
    },
    {
      ...{ head: texts.before, small: 'hide' },
      cell: ({ formerFacts }) => <span className="dim">{formerFacts ?? '–'}</span>,
    },
    { head: texts.after, small: 'sub', cell: ({ facts }) => facts ?? '–' },
    {
      ...{ head: texts.amount, right: true, small: 'hide' },
      cell: ({ formerAmount, amount }) =>
        formerAmount === amount ? cents(amount) : `${cents(formerAmount)} → ${cents(amount)}`,
    },
  ]
  return (
    <>
      <Card title={texts.summary}>
        <p className="dim">
          <Link to="/admin/imports/$id" params={{ id: comparedWith }}>
            {texts.dumpBefore}
          </Link>
        </p>
        {counts.length > 0 ? (
          <Facts
            rows={counts.map(({ resource, change, count }) => [
              `${texts.changed[resource]}, ${texts.changeKinds[change]}`,
              number(count),
            ])}
          />
        ) : null}
      </Card>
      <Card
        flush
        title={texts.views.changes}
        right={
          <SaveCsv
            file={`import-changes-${id}.csv`}
            read={() =>
              client.GET('/v1/admin/imports/{id}/changes/csv', {
                params: { path: { id } },
                parseAs: 'blob',
              })
            }
          />
        }
      >
        <Listed list={list} empty={<p className="pad dim">{texts.noChanges}</p>}>
          {(rows) => (
            <Table
              caption={texts.views.changes}
              rows={rows}
              columns={columns}
              rowKey={(it) => `${it.resource} ${it.id}`}
            />
          )}
        </Listed>
      </Card>
    </>
  )
}

/** The first invoices after renewals began, compared with the preview, after 7 and 30 days. */
export function Reconciliations({ id }: Props) {
  const { imports: texts } = useAdminTexts()
  return (
    <Loaded query={useQuery(reconciliationsRead(id))} waiting={null}>
      {({ data }) =>
        data.length === 0 ? (
          <Card>
            <Empty icon={I.Scale} title={texts.notBegun}>
              {texts.notBegunText}
            </Empty>
          </Card>
        ) : (
          data.map((it) => <OneReconciliation key={it.days} id={id} reconciliation={it} />)
        )
      }
    </Loaded>
  )
}

type ReconciliationProps = Props & { readonly reconciliation: Reconciliation }

function OneReconciliation({ id, reconciliation }: ReconciliationProps) {
  const { imports: texts } = useAdminTexts()
  const { money, date, number } = useFormats()
  const { days, readyAt, throughAt, totals } = reconciliation
  return (
    <Card
      title={texts.afterDays(days)}
      right={
        readyAt ? (
          <SaveCsv
            file={`import-reconciliation-${days}-${id}.csv`}
            read={() =>
              client.GET('/v1/admin/imports/{id}/reconciliations/{days}/csv', {
                params: { path: { id, days } },
                parseAs: 'blob',
              })
            }
          />
        ) : null
      }
    >
      {readyAt === null ? (
        <p className="dim">{texts.readyOn(date(throughAt))}</p>
      ) : (
        <div className="stack s24">
          {totals.map((it) => (
            <Facts
              key={it.currency}
              rows={[
                [texts.customers, number(it.customers)],
                [texts.former, money(it.formerCents, it.currency)],
                [texts.expected, money(it.expectedCents, it.currency)],
                [texts.billed, money(it.billedCents, it.currency)],
                [
                  texts.unexplained,
                  <Tag key="sum" tone={it.unexplained > 0 ? 'failed' : 'active'}>
                    {texts.unexplainedSum(
                      number(it.unexplained),
                      money(it.unexplainedCents, it.currency),
                    )}
                  </Tag>,
                ],
              ]}
            />
          ))}
          <Customers id={id} days={days} />
        </div>
      )}
    </Card>
  )
}

function Customers({ id, days }: Props & { days: number }) {
  const { imports: texts } = useAdminTexts()
  const { money } = useFormats()
  const may = useMay()
  const list = useList(['imports', id, 'reconciliations', days], (where, signal) =>
    client.GET('/v1/admin/imports/{id}/reconciliations/{days}', {
      params: { path: { id, days }, query: { ...where, limit: 50 } },
      signal,
    }),
  )
  const columns: readonly Column<Reconciled>[] = [
    {
      head: texts.customer,
      cell: ({ userId, email }) =>
        may('users:read') ? (
          <Link to="/admin/people/$id" params={{ id: userId }}>
            {email ?? userId.slice(0, 8)}
          </Link>
        ) : (
          (email ?? userId.slice(0, 8))
        ),
    },
    {
      ...{ head: texts.expected, right: true, small: 'hide' },
      cell: ({ expectedCents, currency }) => money(expectedCents, currency),
    },
    {
      ...{ head: texts.billed, right: true, small: 'second' },
      cell: ({ billedCents, currency }) => money(billedCents, currency),
    },
    {
      ...{ head: texts.why, small: 'sub' },
      cell: ({ reasons }) => reasons.map((it) => texts.differenceReasons[it] ?? it).join(', '),
    },
  ]
  return (
    <Listed list={list} empty={<p className="dim">{texts.noDifference}</p>}>
      {(rows) => (
        <Table
          caption={texts.customers}
          rows={rows}
          columns={columns}
          rowKey={(it) => it.userId + it.currency}
        />
      )}
    </Listed>
  )
}
