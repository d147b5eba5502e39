import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  type Column,
  Link,
  Listed,
  Loaded,
  Notice,
  Select,
  Table,
  Tag,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import { decisionsRead, reconciliationsRead, setUpRead } from './reads.ts'
import { SaveCsv } from './save-csv.tsx'

type Decision = components['schemas']['ImportDecision']
type Preview = components['schemas']['RenewalPreview']
type Props = { readonly id: string }

/** The decisions to make before the imported services are renewed; each choice is saved at once. */
export function Decisions({ id }: Props) {
  const { imports: texts } = useAdminTexts()
  const mayWrite = useMay()('imports:write')
  const hasBegun = (useQuery(reconciliationsRead(id)).data?.data.length ?? 0) > 0
  const save = useChange(
    (body: Readonly<Record<string, string>>, intent) =>
      client.PUT('/v1/admin/imports/{id}/decisions', { params: { path: { id } }, body, ...intent }),
    { changes: [['imports', id]], done: () => told(texts.decided) },
  )
  return (
    <Card title={texts.views.decisions}>
      <div className="stack s24 form-width">
        <p className="dim">{hasBegun ? texts.decisionsFixed : texts.decisionsText}</p>
        <Loaded query={useQuery(decisionsRead(id))} waiting={null}>
          {({ data }) =>
            data
              .filter(concerns)
              .map((it) => (
                <OneDecision
                  key={it.decision}
                  decision={it}
                  choose={
                    mayWrite && !hasBegun
                      ? (choice) => save.mutate({ [it.decision]: choice })
                      : null
                  }
                />
              ))
          }
        </Loaded>
      </div>
    </Card>
  )
}

/** Whether a decision has a meaning for an import: those that are neither needed nor made describe another one. */
function concerns({ decision, needed, choice }: Decision): boolean {
  return needed || choice !== null || decision === 'runningPeriods'
}

type DecisionProps = {
  readonly decision: Decision
  readonly choose: ((choice: string) => void) | null
}

function OneDecision({ decision: it, choose }: DecisionProps) {
  const { imports: texts } = useAdminTexts()
  const { title, text } = texts.decisions[it.decision]
  const isMissing = it.needed && it.choice === null
  return (
    <div className="stack s8">
      <div className="row between">
        <strong>{title}</strong>
        <Tag tone={isMissing ? 'attention' : it.choice ? 'active' : 'ended'}>
          {isMissing ? texts.decisionNeeded : it.choice ? texts.decisionMade : texts.decisionFree}
        </Tag>
      </div>
      <Select
        aria-label={title}
        description={text}
        placeholder={texts.notDecided}
        allowDeselect={false}
        disabled={choose === null}
        value={it.choice}
        data={it.choices.map((value) => ({ value, label: texts.choices[value] ?? value }))}
        onChange={(value) => value && choose?.(value)}
      />
    </div>
  )
}

/** The first invoices if renewals began now, beside the prices of the old system. */
export function RenewalPreview({ id }: Props) {
  const { imports: texts } = useAdminTexts()
  const list = useList(['imports', id, 'preview', 'list'], (where, signal) =>
    client.GET('/v1/admin/imports/{id}/preview', {
      params: { path: { id }, query: { ...where, limit: 50 } },
      signal,
    }),
  )
  const setUp = useQuery(setUpRead(id)).data?.setUp ?? []
  const notBilled = setUp.find(({ code }) => code === 'not_billed_here')?.count ?? 0
  const columns = usePreviewColumns()
  return (
    <>
      {notBilled > 0 ? <Notice tone="attention" title={texts.notBilledHere(notBilled)} /> : null}
      <Card
        flush
        title={texts.views.preview}
        right={
          <SaveCsv
            file={`import-preview-${id}.csv`}
            read={() =>
              client.GET('/v1/admin/imports/{id}/preview/csv', {
                params: { path: { id } },
                parseAs: 'blob',
              })
            }
          />
        }
      >
        <Listed list={list} empty={<p className="pad dim">{texts.noServices}</p>}>
          {(rows) => (
            <Table
              caption={texts.views.preview}
              rows={rows}
              rowKey={({ serviceId }) => serviceId}
              columns={columns}
            />
          )}
        </Listed>
      </Card>
    </>
  )
}

function usePreviewColumns(): readonly Column<Preview>[] {
  const { imports: texts } = useAdminTexts()
  const { money, date } = useFormats()
  const may = useMay()
  return [
    {
      head: texts.service,
      cell: ({ serviceId, name, email }) => (
        <span className="cut block">
          {may('services:read') ? (
            <Link to="/admin/servers/$id" params={{ id: serviceId }}>
              {name}
            </Link>
          ) : (
            name
          )}
          <span className="sub cut block">{email}</span>
        </span>
      ),
    },
    {
      ...{ head: texts.firstInvoice, small: 'sub' },
      cell: ({ billed, invoiceAt, whyNot, notices }) => (
        <>
          {billed && invoiceAt ? date(invoiceAt) : texts.whyNot[whyNot ?? 'not_priced']}
          {notices.length > 0 ? (
            <span className="sub block">{notices.map((it) => texts.notices[it]).join(', ')}</span>
          ) : null}
        </>
      ),
    },
    {
      ...{ head: texts.oldPrice, right: true, small: 'hide' },
      cell: ({ oldCents, currency }) => money(oldCents, currency),
    },
    {
      ...{ head: texts.newPrice, right: true, small: 'second' },
      cell: ({ newTotalCents, oldCents, currency }) =>
        newTotalCents === null ? (
          '–'
        ) : (
          <span className={newTotalCents === oldCents ? undefined : 'strong'}>
            {money(newTotalCents, currency)}
          </span>
        ),
    },
  ]
}
