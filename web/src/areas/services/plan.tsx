import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Confirm,
  Facts,
  LinkButton,
  Notice,
  refused,
  Switch,
  told,
  useFormats,
} from '../../ui/index.ts'
import { ServiceFrame } from './frame.tsx'
import { Cancel, Withdraw } from './leaving.tsx'
import { Options } from './options.tsx'
import { OwnerOnly } from './owner-only.tsx'
import { paidUntil } from './period.ts'
import { PeriodPrice, useNextInvoice } from './price.tsx'
import type { ServiceDetails } from './reads.ts'
import { Upgrade } from './upgrade.tsx'

/** What a server costs, how it can be changed, and how it ends. */
export function ServicePlan() {
  const { services } = useTexts()
  return (
    <ServiceFrame>
      {({ service }) =>
        service.role === 'owner' ? (
          <div className="grid split">
            <div className="stack">
              <Current service={service} />
              {service.status === 'active' ? <Upgrade service={service} /> : null}
              {service.status === 'active' ? <Options service={service} /> : null}
            </div>
            <div className="stack">
              {service.status === 'ended' ? null : <Ending service={service} />}
            </div>
          </div>
        ) : (
          <OwnerOnly id={service.id} title={services.tabs.plan} />
        )
      }
    </ServiceFrame>
  )
}

function Current({ service }: { service: ServiceDetails }) {
  const { services, common } = useTexts()
  const { date } = useFormats()
  const nextInvoice = useNextInvoice(service)
  const nextAmount = nextInvoice[0]?.[1]
  const { id, name, plan, product, autoRenew, cancelAtPeriodEnd } = service
  const until = paidUntil(service)
  const [isRenewing, ask] = useState(false)
  const navigate = useNavigate()
  const renewal = useAction(
    (wanted: boolean) =>
      client.PATCH('/v1/services/{id}', {
        params: { path: { id } },
        body: { autoRenew: wanted },
      }),
    {
      changes: [['service', id], ['services']],
      done: () => told(common.saved),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const renew = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/renew', {
        ...{ params: { path: { id } }, body: { useCredits: true }, ...intent },
      }),
    {
      changes: [['service', id], ['services'], ['invoices'], ['summary']],
      done: ({ invoice }) => {
        ask(false)
        if (invoice) void navigate({ to: '/invoices/$id', params: { id: invoice.id } })
      },
      failed: (error) => refused(common.refused, error.message),
    },
  )
  const isPeriodic = plan.interval !== 'hour' && plan.interval !== 'one_time'
  const isRunning = service.status === 'active' || service.status === 'suspended'
  return (
    <Card title={services.planCard}>
      <PeriodPrice service={service} />
      <Facts
        rows={[
          [services.product, product.name],
          ...(until
            ? [
                [
                  cancelAtPeriodEnd || !autoRenew ? services.endsOn : services.renewsOn,
                  date(until),
                ] as const,
              ]
            : []),
          ...nextInvoice,
        ]}
      />
      {isPeriodic && isRunning && !cancelAtPeriodEnd ? (
        <div className="row between wrap below">
          <Switch
            label={services.autoRenew}
            description={services.autoRenewText}
            checked={autoRenew}
            disabled={renewal.isPending}
            onChange={(event) => renewal.mutate(event.currentTarget.checked)}
          />
          <Button variant="default" onClick={() => ask(true)}>
            {services.renew}
          </Button>
        </div>
      ) : null}
      <Confirm
        opened={isRenewing}
        close={() => ask(false)}
        title={services.renewTitle(name)}
        action={services.renew}
        run={() => renew.mutate(null)}
        isRunning={renew.isPending}
      >
        <p>{services.renewText}</p>
        {nextAmount ? <p className="strong">{services.renewAmount(nextAmount)}</p> : null}
      </Confirm>
    </Card>
  )
}

function Ending({ service }: { service: ServiceDetails }) {
  const { services, common } = useTexts()
  const { date } = useFormats()
  const { id, cancelAtPeriodEnd, upgrade } = service
  const until = paidUntil(service)
  const resume = useAction(
    (_: null, intent) =>
      client.POST('/v1/services/{id}/resume', { params: { path: { id } }, ...intent }),
    {
      changes: [['service', id], ['services']],
      done: () => told(services.resumed),
      failed: (error) => refused(common.refused, error.message),
    },
  )
  return (
    <>
      {upgrade?.invoiceId && !upgrade.paidAt ? (
        <Notice
          tone="waiting"
          title={services.upgradeOpen}
          action={
            <LinkButton to="/invoices/$id" params={{ id: upgrade.invoiceId }} size="xs">
              {services.seeInvoice}
            </LinkButton>
          }
        />
      ) : null}
      <Card title={services.cancel}>
        {cancelAtPeriodEnd ? (
          <div className="stack">
            <p>{services.cancelScheduled(until ? date(until) : '')}</p>
            <Button loading={resume.isPending} onClick={() => resume.mutate(null)}>
              {services.resume}
            </Button>
          </div>
        ) : (
          <div className="stack s12">
            <p className="sub">{services.cancelText}</p>
            <div>
              <Cancel service={service} />
            </div>
          </div>
        )}
        {service.withdrawableUntil ? <Withdraw service={service} /> : null}
      </Card>
    </>
  )
}
