import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActDialog, MoneyField, Select, TextInput } from '../../../ui/index.ts'
import { type AdminInvoice, gateways } from './reads.ts'

export type InvoiceDialogProps = {
  readonly invoice: AdminInvoice
  readonly opened: boolean
  readonly close: () => void
}

/** Queries to invalidate after a change of an invoice. */
const CHANGES = [
  ['admin', 'invoices'],
  ['admin', 'services'],
  ['admin', 'attention'],
]
const pathOf = ({ id }: AdminInvoice) => ({ params: { path: { id } } })
const nameOf = ({ number, id }: AdminInvoice) => number ?? id

export function Issue({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      {...{ opened, close }}
      title={invoices.issueTitle}
      consequence={invoices.issueText}
      verb={invoices.issue}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/invoices/{id}/issue', { ...pathOf(invoice), ...intent })
      }
      changes={CHANGES}
      told={invoices.issuedDone}
    />
  )
}

export function Send({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      {...{ opened, close }}
      title={invoices.sendTitle(nameOf(invoice))}
      consequence={invoices.sendText}
      verb={invoices.send}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/invoices/{id}/send', { ...pathOf(invoice), ...intent })
      }
      changes={CHANGES}
      told={invoices.sent}
    />
  )
}

export function MarkPaid({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  const may = useMay()
  const known = useQuery({ ...gateways, enabled: opened && may('gateways:read') }).data?.data ?? []
  const { currency, dueCents } = invoice
  return (
    <ActDialog
      {...{ opened, close }}
      title={invoices.markPaidTitle(nameOf(invoice))}
      consequence={invoices.markPaidText}
      verb={invoices.markPaid}
      initial={{ gatewayId: '', cents: dueCents as number | null, reference: '', on: '' }}
      isIncomplete={(it) => !it.gatewayId || it.reference.trim() === '' || !it.cents}
      call={({ gatewayId, cents, reference, on }, intent) =>
        client.POST('/v1/admin/invoices/{id}/mark-paid', {
          ...pathOf(invoice),
          body: {
            ...{ gatewayId, reference: reference.trim() },
            ...(cents !== null && { amountCents: cents }),
            ...(on && { paidAt: `${on}T12:00:00.000Z` }),
          },
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.paidDone}
    >
      {(fields, set, errors) => (
        <>
          <Select
            label={invoices.gateway}
            value={fields.gatewayId || null}
            error={errors.gatewayId}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(value) => set({ gatewayId: value ?? '' })}
          />
          <MoneyField
            label={invoices.amount}
            currency={currency}
            cents={fields.cents}
            error={errors.amountCents}
            onCents={(cents) => set({ cents })}
          />
          <TextInput
            label={invoices.reference}
            description={invoices.referenceHelp}
            value={fields.reference}
            error={errors.reference}
            onChange={(event) => set({ reference: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label={invoices.paidAt}
            value={fields.on}
            error={errors.paidAt}
            onChange={(event) => set({ on: event.currentTarget.value })}
          />
        </>
      )}
    </ActDialog>
  )
}

export function Void({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={invoices.voidTitle(nameOf(invoice))}
      consequence={invoices.voidText}
      verb={invoices.void}
      initial={{ reason: '' }}
      call={({ reason }, intent) =>
        client.POST('/v1/admin/invoices/{id}/void', {
          ...pathOf(invoice),
          body: reason.trim() ? { reason: reason.trim() } : {},
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.voided}
    >
      {({ reason }, set) => <Reason reason={reason} set={(next) => set({ reason: next })} />}
    </ActDialog>
  )
}

export function WriteOff({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={invoices.writeOffTitle(nameOf(invoice))}
      consequence={invoices.writeOffText}
      verb={invoices.writeOff}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/invoices/{id}/write-off', { ...pathOf(invoice), ...intent })
      }
      changes={CHANGES}
      told={invoices.writtenOff}
    />
  )
}

export function Credit({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={invoices.creditTitle(nameOf(invoice))}
      consequence={invoices.creditText}
      verb={invoices.creditNote}
      initial={{ cents: null as number | null, reason: '' }}
      call={({ cents, reason }, intent) =>
        client.POST('/v1/admin/invoices/{id}/credit-note', {
          ...pathOf(invoice),
          body: {
            ...(cents !== null && { amountCents: cents }),
            ...(reason.trim() && { reason: reason.trim() }),
          },
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.creditDone}
    >
      {({ cents, reason }, set, errors) => (
        <>
          <MoneyField
            label={invoices.amount}
            description={invoices.wholeAmount}
            currency={invoice.currency}
            cents={cents}
            error={errors.amountCents}
            onCents={(next) => set({ cents: next })}
          />
          <Reason reason={reason} set={(next) => set({ reason: next })} />
        </>
      )}
    </ActDialog>
  )
}

export function Refund({ invoice, opened, close }: InvoiceDialogProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={invoices.refundTitle(nameOf(invoice))}
      consequence={invoices.refundText}
      verb={invoices.refund}
      initial={{ cents: null as number | null, to: 'payment' as 'payment' | 'credit', reason: '' }}
      call={({ cents, to, reason }, intent) =>
        client.POST('/v1/admin/invoices/{id}/refund', {
          ...pathOf(invoice),
          body: {
            to,
            ...(cents !== null && { amountCents: cents }),
            ...(reason.trim() && { reason: reason.trim() }),
          },
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.refundDone}
    >
      {({ cents, to, reason }, set, errors) => (
        <>
          <MoneyField
            label={invoices.amount}
            description={invoices.wholeAmount}
            currency={invoice.currency}
            cents={cents}
            error={errors.amountCents}
            onCents={(next) => set({ cents: next })}
          />
          <Select
            label={invoices.refundTo}
            value={to}
            data={[
              { value: 'payment', label: invoices.toPayment },
              { value: 'credit', label: invoices.toCredit },
            ]}
            onChange={(value) => set({ to: value === 'credit' ? 'credit' : 'payment' })}
          />
          <Reason reason={reason} set={(next) => set({ reason: next })} />
        </>
      )}
    </ActDialog>
  )
}

function Reason({ reason, set }: { reason: string; set: (reason: string) => void }) {
  const { invoices } = useAdminTexts()
  return (
    <TextInput
      label={invoices.reason}
      value={reason}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

type DeleteProps = InvoiceDialogProps & { readonly done: () => void }

export function DeleteDraft({ invoice, opened, close, done }: DeleteProps) {
  const { invoices } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close, done }}
      title={`${invoices.deleteDraft}?`}
      consequence={invoices.deleteText}
      verb={invoices.deleteDraft}
      initial={{}}
      call={(_, intent) =>
        client.DELETE('/v1/admin/invoices/{id}', { ...pathOf(invoice), ...intent })
      }
      changes={[['admin', 'invoices', 'list']]}
      told={invoices.deleted}
    />
  )
}
