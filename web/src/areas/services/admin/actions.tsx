import { useQuery } from '@tanstack/react-query'
import { nodes } from '../../../api/admin-reads.ts'
import { client, read } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActDialog,
  Checkbox,
  Facts,
  FormDialog,
  isDays,
  MoneyField,
  Select,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import type { AdminService } from './reads.ts'

type DialogProps = {
  readonly service: AdminService
  readonly opened: boolean
  readonly close: () => void
}

const CHANGES = [
  ['admin', 'services'],
  ['admin', 'attention'],
]
const pathOf = ({ id }: AdminService) => ({ params: { path: { id } } })

export function SuspendService({ service, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  const isSuspended = service.status === 'suspended'
  const path = pathOf(service)
  return (
    <ActDialog
      {...{ opened, close }}
      title={
        isSuspended ? servers.unsuspendTitle(service.name) : servers.suspendTitle(service.name)
      }
      consequence={isSuspended ? servers.unsuspendText : servers.suspendText}
      verb={isSuspended ? servers.unsuspend : servers.suspend}
      isDangerous={!isSuspended}
      initial={{}}
      call={(_, intent) =>
        isSuspended
          ? client.POST('/v1/admin/services/{id}/unsuspend', { ...path, ...intent })
          : client.POST('/v1/admin/services/{id}/suspend', { ...path, ...intent })
      }
      changes={CHANGES}
      told={isSuspended ? servers.unsuspended : servers.suspended}
    />
  )
}

const REASONS = ['terminated', 'fraud', 'refunded'] as const
type Reason = (typeof REASONS)[number]
type Ending = { reason: Reason; keepData: boolean }

/** Terminates a service; first shows the final bill and the refund from the API. */
export function TerminateService({ service, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  const initial: Ending = { reason: 'terminated', keepData: false }
  return (
    <ActDialog
      isDangerous
      {...{ opened, close, initial }}
      title={servers.terminateTitle(service.name)}
      consequence={servers.terminateText}
      verb={servers.terminateVerb}
      call={(body, intent) =>
        client.POST('/v1/admin/services/{id}/terminate', { ...pathOf(service), body, ...intent })
      }
      changes={[...CHANGES, ['admin', 'invoices']]}
      told={servers.terminated}
    >
      {({ fields: ending, choice, flag }) => (
        <>
          <Select
            {...choice('reason')}
            label={servers.why}
            data={REASONS.map((value) => ({ value, label: servers.whys[value] }))}
          />
          <Checkbox {...flag('keepData')} label={servers.keepData} />
          {opened ? <WhatFollows service={service} ending={ending} /> : null}
        </>
      )}
    </ActDialog>
  )
}

function WhatFollows({ service, ending }: { service: AdminService; ending: Ending }) {
  const { servers } = useAdminTexts()
  const { money } = useFormats()
  const preview = useQuery(
    read(['admin', 'services', service.id, 'ending', ending], () =>
      client.POST('/v1/admin/services/{id}/terminate-preview', {
        ...pathOf(service),
        body: ending,
      }),
    ),
  ).data
  if (!preview) return null
  const { currency, owedCents, refundCents, creditCents } = preview
  return (
    <Facts
      rows={[
        [servers.followsOwed, money(owedCents, currency)],
        [servers.followsRefund, money(refundCents, currency)],
        [servers.followsCredit, money(creditCents, currency)],
      ]}
    />
  )
}

function fieldsOf({ name, plan, autoRenew }: AdminService) {
  return { name, cents: plan.priceCents as number | null, from: '', autoRenew }
}

/** Name, price and renewal of a service. */
export function ChangeService({ service, opened, close }: DialogProps) {
  return opened ? <ServiceForm service={service} close={close} /> : null
}

function ServiceForm({ service, close }: Omit<DialogProps, 'opened'>) {
  const { servers } = useAdminTexts()
  const { name, plan, autoRenew } = service
  const form = useForm({
    name: `service:${service.id}`,
    saved: fieldsOf(service),
    call: (fields, intent) =>
      client.PATCH('/v1/admin/services/{id}', {
        ...pathOf(service),
        body: {
          name: fields.name.trim(),
          ...(fields.autoRenew !== autoRenew && { autoRenew: fields.autoRenew }),
          ...(fields.cents !== null &&
            fields.cents !== plan.priceCents && {
              priceCents: fields.cents,
              ...(fields.from && { effectiveFrom: fields.from }),
            }),
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/services/{id}', pathOf(service)), fieldsOf },
    changes: CHANGES,
    done: () => {
      told(servers.saved)
      close()
    },
  })
  const { fields, set, errors, text, flag } = form
  return (
    <FormDialog
      {...{ form, close }}
      title={servers.changeTitle(name)}
      save={servers.change}
      isIncomplete={fields.name.trim() === '' || fields.cents === null}
    >
      <p className="dim">{servers.changeText}</p>
      <TextInput {...text('name')} label={servers.newName} />
      <MoneyField
        label={servers.newPrice}
        currency={plan.currency}
        cents={fields.cents}
        error={errors.cents ?? errors.priceCents}
        onCents={(cents) => set({ cents })}
      />
      <TextInput {...text('from')} type="date" label={servers.from} error={errors.effectiveFrom} />
      <Checkbox {...flag('autoRenew')} label={servers.autoRenew} />
    </FormDialog>
  )
}

/** For a service whose panel connection was deleted. */
export function AttachService({ service, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  const may = useMay()
  const known = useQuery({ ...nodes, enabled: may('nodes:read') && opened }).data?.data ?? []
  return (
    <ActDialog
      {...{ opened, close }}
      title={servers.attachTitle(service.name)}
      consequence={servers.attachText}
      verb={servers.attach}
      initial={{ nodeId: '' }}
      isIncomplete={({ nodeId }) => nodeId === ''}
      call={(body, intent) =>
        client.POST('/v1/admin/services/{id}/attach', { ...pathOf(service), body, ...intent })
      }
      changes={CHANGES}
      told={servers.attached}
    >
      {({ choice }) => (
        <Select
          {...choice('nodeId')}
          label={servers.placePanel}
          data={known.map((it) => ({ value: it.id, label: it.name }))}
        />
      )}
    </ActDialog>
  )
}

/** Days without a price after the paid period. */
export function GiveFreeDays({ service, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  return (
    <ActDialog
      {...{ opened, close }}
      title={servers.freeDaysTitle(service.name)}
      consequence={servers.freeDaysText}
      verb={servers.freeDays}
      initial={{ days: '3', reason: '' }}
      isIncomplete={({ days, reason }) => !isDays(days) || reason.trim() === ''}
      call={({ days, reason }, intent) =>
        client.POST('/v1/admin/services/{id}/free-days', {
          ...pathOf(service),
          ...{ body: { days: Number(days), reason: reason.trim() }, ...intent },
        })
      }
      changes={[...CHANGES, ['admin', 'invoices']]}
      told={servers.freeDaysGiven}
    >
      {({ text }) => (
        <>
          <TextInput {...text('days')} inputMode="numeric" label={servers.freeDaysCount} />
          <TextInput {...text('reason')} maxLength={200} label={servers.freeDaysReason} />
        </>
      )}
    </ActDialog>
  )
}

export function CancelUpgrade({ service, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={`${servers.cancelUpgrade}: ${service.name}`}
      consequence={servers.cancelUpgradeText}
      verb={servers.cancelUpgrade}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/services/{id}/cancel-upgrade', { ...pathOf(service), ...intent })
      }
      changes={CHANGES}
      told={servers.upgradeCanceled}
    />
  )
}
