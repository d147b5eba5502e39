import { useAdminTexts } from '../../../texts/admin.tsx'
import { Table, useFormats } from '../../../ui/index.ts'
import { type Attempt, AttemptTag } from './attempt-status.tsx'

/** Attempts to pay, newest first, with the error of the provider. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  const { payments } = useAdminTexts()
  const { money, moment } = useFormats()
  if (attempts.length === 0) return <p className="dim inset">{payments.noAttempts}</p>
  return (
    <Table
      caption={payments.attempts}
      rows={attempts}
      rowKey={({ id }) => id}
      columns={[
        {
          head: payments.startedAt,
          cell: ({ createdAt, gatewayName, failureCode }) => (
            <span className="who block">
              {moment(createdAt)}
              <span className="sub block">
                {gatewayName}
                {failureCode ? <span className="mono"> · {failureCode}</span> : null}
              </span>
            </span>
          ),
        },
        {
          ...{ head: payments.statusHead, small: 'second' },
          cell: (it) => <AttemptTag attempt={it} />,
        },
        {
          ...{ head: payments.amount, right: true, small: 'second' },
          cell: ({ amountCents, currency }) => money(amountCents, currency),
        },
      ]}
    />
  )
}
