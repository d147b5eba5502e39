import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client, read } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Drawer,
  Facts,
  Loaded,
  Notice,
  refused,
  SumLine,
  told,
  useFormats,
} from '../../ui/index.ts'
import type { ServiceOptions, Wish } from './option-fields.tsx'
import { type ServiceDetails, serviceOptions } from './reads.ts'
import { OptionFields } from './size-options.tsx'
import { Terms } from './upgrade.tsx'

const CHANGES = (id: string) => [
  ...[['service', id], ['services'], ['invoices'], ['credit'], ['summary']],
]

/** The options of a service: their values, their changes with the next period, and the form to change them. */
export function Options({ service }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const { id, name } = service
  const [isOpen, open] = useState(false)
  const [wish, want] = useState<Wish>({})
  const query = useQuery(serviceOptions(id))
  const own = query.data
  if (!own || (own.options.length === 0 && own.kept.length === 0)) return null
  const close = () => {
    open(false)
    want({})
  }
  return (
    <Card title={services.optionsCard}>
      <Facts rows={own.kept.map((it) => [it.name, it.label] as const)} />
      <Scheduled id={id} own={own} isWithSize={service.scheduledChange !== null} />
      {own.options.length > 0 ? (
        <div className="row between wrap below">
          <Button onClick={() => open(true)}>{services.changeOptions}</Button>
        </div>
      ) : null}
      <Drawer opened={isOpen} onClose={close} title={services.optionsTitle(name)}>
        <Suspense>
          <OptionFields of={own} wish={wish} change={want} />
        </Suspense>
        {Object.keys(wish).length > 0 ? (
          <div className="drawer-foot" aria-live="polite">
            <Change key={JSON.stringify(wish)} {...{ id, name, wish, close }} />
          </div>
        ) : null}
      </Drawer>
    </Card>
  )
}

type Planned = Pick<ServiceOptions, 'kept' | 'scheduled' | 'scheduledAt'>

type ScheduledProps = {
  readonly id: string
  readonly own: Planned
  /** They change with the size, and only together with it. */
  readonly isWithSize: boolean
}

/** What changes with the next period, and how to keep it as it is. */
function Scheduled({ id, own, isWithSize }: ScheduledProps) {
  const { kept, scheduled, scheduledAt } = own
  const { services, common } = useTexts()
  const { date } = useFormats()
  const keep = useAction(
    (key: string) =>
      client.DELETE('/v1/services/{id}/options/scheduled/{key}', {
        params: { path: { id, key } },
      }),
    {
      changes: CHANGES(id),
      done: () => told(common.saved),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  if (!scheduledAt) return null
  return (
    <div className="stack s8 below">
      {scheduled.map(({ key, label }) => {
        const name = kept.find((it) => it.key === key)?.name ?? key
        const what = label === null ? services.optionGone : services.optionNext
        return (
          <div key={key} className="row between wrap">
            <span>{what(label === null ? name : `${name}: ${label}`, date(scheduledAt))}</span>
            {isWithSize ? null : (
              <Button
                variant="default"
                size="xs"
                loading={keep.isPending}
                onClick={() => keep.mutate(key)}
              >
                {services.optionKeep}
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}

type LaterProps = {
  readonly scheduled: readonly { key: string; label: string | null }[]
  readonly names: (key: string) => string
}

/** The parts of a change that wait for the next period. */
export function Later({ scheduled, names }: LaterProps) {
  const { services } = useTexts()
  return scheduled.map(({ key, label }) => (
    <SumLine key={key} label={names(key)} amount={label ?? services.optionNone} />
  ))
}

type ChangeProps = {
  readonly id: string
  readonly name: string
  readonly wish: Wish
  readonly close: () => void
}

/** What the change costs, line by line; it is ordered at exactly that price. */
function Change({ id, name, wish, close }: ChangeProps) {
  const { services, common } = useTexts()
  const { money } = useFormats()
  const navigate = useNavigate()
  const own = useQuery(serviceOptions(id)).data
  const names = (key: string) => own?.options.find((it) => it.key === key)?.name ?? key
  const path = { path: { id } }
  const preview = useQuery({
    ...read(['service', id, 'options', wish], (signal) => {
      const body = { options: wish, preview: true, useCredits: true }
      return client.POST('/v1/services/{id}/options', { params: path, body, signal })
    }),
    staleTime: 0,
    retry: false,
  })
  const change = useAction(
    (quote: string | null, intent) => {
      const body = { options: wish, useCredits: true, ...(quote !== null && { quote }) }
      return client.POST('/v1/services/{id}/options', { params: path, body, ...intent })
    },
    {
      changes: CHANGES(id),
      done: ({ invoice }) => {
        close()
        if (invoice && invoice.dueCents > 0) {
          void navigate({ to: '/invoices/$id', params: { id: invoice.id } })
        } else {
          told(services.optionsChanging, name)
        }
      },
      failed: (error) => {
        refused(common.refused, error.message)
        void preview.refetch()
      },
    },
  )
  if (preview.error) return <Notice tone="attention" title={preview.error.message} />
  return (
    <Loaded query={preview} waiting="…">
      {(terms) => {
        const { effect, fits, proration, scheduled, quote } = terms
        const { currency, totalCents } = proration
        return (
          <div className="stack s12">
            {scheduled.length > 0 ? (
              <div>
                <p className="strong">{services.optionLater}</p>
                <Later scheduled={scheduled} names={names} />
              </div>
            ) : null}
            <Terms {...terms} effects={services.optionEffects} />
            <Button
              fullWidth
              size="md"
              disabled={fits === false}
              loading={change.isPending}
              onClick={() => change.mutate(quote)}
            >
              {effect === 'on_payment' && totalCents > 0
                ? services.pay(money(totalCents, currency))
                : services.changeOptions}
            </Button>
          </div>
        )
      }}
    </Loaded>
  )
}
