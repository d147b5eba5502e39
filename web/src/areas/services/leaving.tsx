import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Confirm,
  Drawer,
  Loaded,
  refused,
  Skeleton,
  SumLine,
  told,
  useFormats,
} from '../../ui/index.ts'
import { paidUntil } from './period.ts'
import type { ServiceDetails } from './reads.ts'
import type { Reason } from './reason-field.tsx'

type When = 'period_end' | 'now'
type LeavingProps = { readonly service: ServiceDetails }

/** A list to choose from weighs more than the rest of the screen: it is loaded with the dialog. */
const ReasonField = lazy(async () => ({
  default: (await import('./reason-field.tsx')).ReasonField,
}))

const cancelPreview = (id: string, at: When) =>
  read(['service', id, 'cancel-preview', at], (signal) =>
    client.POST('/v1/services/{id}/cancel-preview', {
      ...{ params: { path: { id } }, body: { at }, signal },
    }),
  )

const withdrawPreview = (id: string) =>
  read(['service', id, 'withdraw-preview'], (signal) =>
    client.POST('/v1/services/{id}/withdraw-preview', { params: { path: { id } }, signal }),
  )

/** Ends a service at its period's end or now; first shows what is owed and what is refunded. */
export function Cancel({ service }: LeavingProps) {
  const { services, common } = useTexts()
  const { date } = useFormats()
  const { id, name, plan } = service
  const until = paidUntil(service)
  const isPeriodic = until !== null && plan.interval !== 'hour'
  const [isOpen, open] = useState(false)
  const [at, setAt] = useState<When>(isPeriodic ? 'period_end' : 'now')
  const [reasonCode, setReason] = useState<Reason | null>(null)
  const preview = useQuery({ ...cancelPreview(id, at), enabled: isOpen, staleTime: 0 })
  const cancel = useAction(
    (wanted: { at: When; reasonCode: Reason | null }, intent) =>
      client.POST('/v1/services/{id}/cancel', {
        params: { path: { id } },
        body: { at: wanted.at, ...(wanted.reasonCode && { reasonCode: wanted.reasonCode }) },
        ...intent,
      }),
    {
      changes: [['service', id], ['services'], ['invoices'], ['credit'], ['summary']],
      done: () => {
        told(services.canceled, name)
        open(false)
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const choices = [
    ...(isPeriodic ? [['period_end', services.atPeriodEnd(date(until))] as const] : []),
    ['now', services.atOnce] as const,
  ]
  return (
    <>
      <Button variant="default" onClick={() => open(true)}>
        {services.cancel}
      </Button>
      <Drawer opened={isOpen} onClose={() => open(false)} title={services.cancelTitle(name)}>
        <fieldset className="plain stack s8">
          <legend className="strong">{services.cancelWhen}</legend>
          {choices.map(([value, label]) => (
            <label key={value} className="choice">
              <input type="radio" name="at" checked={at === value} onChange={() => setAt(value)} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <Suspense fallback={<Skeleton height={58} />}>
          <ReasonField value={reasonCode} change={setReason} />
        </Suspense>
        <div className="drawer-foot" aria-live="polite">
          <Loaded query={preview} waiting="…">
            {(found) => <Balance {...found} />}
          </Loaded>
          <div className="row ends">
            <Button variant="default" onClick={() => open(false)}>
              {services.keepIt}
            </Button>
            <Button
              color="red"
              disabled={!preview.data}
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ at, reasonCode })}
            >
              {services.cancelNow}
            </Button>
          </div>
        </div>
      </Drawer>
    </>
  )
}

type BalanceProps = {
  readonly endsAt: string
  readonly currency: string
  readonly owedCents: number
  readonly refundCents: number
  readonly creditCents: number
}

/** What is settled when a service ends, as the API computed it. */
function Balance({ endsAt, currency, owedCents, refundCents, creditCents }: BalanceProps) {
  const { services } = useTexts()
  const { money, moment } = useFormats()
  const lines = [
    [services.owed, owedCents],
    [services.refunded, refundCents],
    [services.credited, creditCents],
  ] as const
  const some = lines.filter(([, cents]) => cents > 0)
  return (
    <div>
      <SumLine label={services.endsOn} amount={moment(endsAt)} />
      {some.map(([label, cents]) => (
        <SumLine key={label} label={label} amount={money(cents, currency)} />
      ))}
      {some.length === 0 ? <p className="sub">{services.nothingBack}</p> : null}
    </div>
  )
}

/** The consumer's right to withdraw from the order within fourteen days. */
export function Withdraw({ service: { id, name, withdrawableUntil } }: LeavingProps) {
  const { services, common } = useTexts()
  const { moment } = useFormats()
  const [isOpen, open] = useState(false)
  const preview = useQuery({ ...withdrawPreview(id), enabled: isOpen, staleTime: 0 })
  const withdraw = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/withdraw', { params: { path: { id } }, ...intent }),
    {
      changes: [['service', id], ['services'], ['invoices'], ['credit'], ['summary']],
      done: () => {
        told(services.withdrawn, name)
        open(false)
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <div className="stack s8 below">
      <p className="sub">{services.withdrawUntil(moment(withdrawableUntil ?? ''))}</p>
      <Button variant="default" onClick={() => open(true)}>
        {services.withdraw}
      </Button>
      <Confirm
        opened={isOpen}
        close={() => open(false)}
        title={services.withdrawTitle(name)}
        action={services.withdrawNow}
        run={() => withdraw.mutate(null)}
        isRunning={withdraw.isPending || !preview.data}
        isDangerous
      >
        <p>{services.withdrawText}</p>
        <Loaded query={preview} waiting="…">
          {(found) => <Balance {...found} />}
        </Loaded>
      </Confirm>
    </div>
  )
}
