import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { gateways } from '../../api/admin-reads.ts'
import { read } from '../../api/client.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useChange } from '../change.ts'
import { Modal } from '../dialog.tsx'
import { Button, Select, TextInput } from '../kit.ts'
import { Tag, type Tone } from '../parts.tsx'
import { Loaded } from '../states.tsx'
import { Table } from '../table.tsx'
import type { BarProps, Body, Bulk, BulkAction } from './bulk.tsx'
import { isDays } from './days.ts'

type BulkResult = components['schemas']['BulkResult']
type Outcome = BulkResult['rows'][number]['outcome']

type DialogProps<Row, Name extends string> = BarProps<Row, Name> & {
  readonly action: BulkAction<Name>
  readonly close: () => void
}

/** One action for the selected rows: what would happen, then the result of each. */
export function BulkDialog<Row extends { readonly id: string }, Name extends string>(
  props: DialogProps<Row, Name>,
) {
  const { action, bulk, rows, clear, close } = props
  const { lists } = useAdminTexts()
  const { common } = useTexts()
  const [fields, setFields] = useState({ days: '', reason: '', gatewayId: '', reference: '' })
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const { days, reason, gatewayId, reference } = fields
  const needsDays = action.days !== undefined
  const needsPayment = action.payment === true
  const needsFields = needsDays || needsPayment
  const [checked, check] = useState(needsFields ? null : fields)
  const isComplete =
    (!needsDays || (isDays(days) && reason.trim() !== '')) &&
    (!needsPayment || (gatewayId !== '' && reference.trim() !== ''))
  // Only what was checked is done: after later changes of required fields, they are checked again first.
  const isChecked = checked !== null && (!needsFields || checked === fields)
  const bodyOf = (dryRun: boolean): Body<Name> => ({
    ...{ action: action.action, ids: rows.map(({ id }) => id), dryRun },
    ...(reason.trim() && { reason: reason.trim() }),
    ...(needsDays && { days: Number(days) }),
    ...(needsPayment && { gatewayId, reference: reference.trim() }),
  })
  const [trialId] = useState(() => crypto.randomUUID())
  const trial = useQuery({
    ...read(['bulk', trialId, checked], () => bulk.call(bodyOf(true))),
    enabled: isChecked,
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  })
  const run = useChange<Body<Name>, BulkResult>(bulk.call, { changes: bulk.changes, done: clear })
  const result = run.data
  const possible = trial.data?.done ?? 0
  return (
    <Modal opened onClose={close} size="lg" title={lists.bulkTitle(action.verb, rows.length)}>
      <div className="stack">
        {result ? (
          <Rows {...{ bulk, rows, result }} tell={lists.bulkDone} />
        ) : (
          <>
            <p className="dim">{action.text}</p>
            {action.days ? (
              <TextInput
                required
                label={action.days}
                inputMode="numeric"
                value={days}
                onChange={({ currentTarget }) => set({ days: currentTarget.value })}
              />
            ) : null}
            {needsPayment ? <PaymentFields {...{ gatewayId, reference, set }} /> : null}
            {isChecked ? (
              <Loaded query={trial} waiting={<p className="dim">{lists.bulkTrying}</p>}>
                {(tried) => <Rows {...{ bulk, rows }} result={tried} tell={lists.bulkWould} />}
              </Loaded>
            ) : null}
            {action.reason ? (
              <TextInput
                label={action.reason}
                required={needsDays}
                maxLength={needsDays ? 200 : 500}
                value={reason}
                onChange={({ currentTarget }) => set({ reason: currentTarget.value })}
              />
            ) : null}
          </>
        )}
        <div className="row ends">
          <Button variant="default" onClick={close} data-autofocus>
            {result ? common.close : common.cancel}
          </Button>
          {result || isChecked ? null : (
            <Button disabled={!isComplete} onClick={() => check(fields)}>
              {lists.bulkCheck}
            </Button>
          )}
          {result || !isChecked ? null : (
            <Button
              {...(action.isDangerous && { color: 'red' })}
              loading={run.isPending}
              disabled={possible === 0}
              onClick={() => run.mutate(bodyOf(false))}
            >
              {lists.bulkRun(action.verb, possible)}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  )
}

type PaymentProps = {
  readonly gatewayId: string
  readonly reference: string
  readonly set: (change: { gatewayId?: string; reference?: string }) => void
}

function PaymentFields({ gatewayId, reference, set }: PaymentProps) {
  const { lists } = useAdminTexts()
  const known = useQuery(gateways).data?.data ?? []
  return (
    <>
      <Select
        required
        label={lists.bulkGateway}
        value={gatewayId || null}
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => set({ gatewayId: id ?? '' })}
      />
      <TextInput
        required
        label={lists.bulkReference}
        description={lists.bulkReferenceHint}
        maxLength={60}
        value={reference}
        onChange={({ currentTarget }) => set({ reference: currentTarget.value })}
      />
    </>
  )
}

type RowsProps<Row> = {
  readonly bulk: Pick<Bulk<Row>, 'nameOf'>
  readonly rows: readonly Row[]
  readonly result: BulkResult
  readonly tell: (counts: BulkResult) => string
}

const TONES: Readonly<Record<Outcome, Tone>> = {
  ...{ done: 'active', unchanged: 'ended', failed: 'failed' },
}
const ORDER: readonly Outcome[] = ['failed', 'unchanged', 'done']

/** How many and which; what was refused comes first. */
function Rows<Row extends { readonly id: string }>(props: RowsProps<Row>): ReactNode {
  const { bulk, rows, result, tell } = props
  const { lists } = useAdminTexts()
  const names = new Map(rows.map((row) => [row.id, bulk.nameOf(row)]))
  const outcomes = result.dryRun ? lists.wouldBe : lists.was
  const sorted = result.rows.toSorted(
    (one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome),
  )
  return (
    <>
      <p role="status" className="strong">
        {tell(result)}
      </p>
      <Table
        caption={lists.bulkRows}
        rows={sorted}
        rowKey={({ id }) => id}
        columns={[
          { head: lists.bulkObject, cell: ({ id }) => names.get(id) ?? id },
          {
            ...{ head: lists.bulkOutcome, small: 'second' },
            cell: ({ outcome }) => <Tag tone={TONES[outcome]}>{outcomes[outcome]}</Tag>,
          },
          {
            ...{ head: lists.bulkWhy, small: 'sub' },
            cell: ({ message }) => <span className="dim">{message}</span>,
          },
        ]}
      />
    </>
  )
}
