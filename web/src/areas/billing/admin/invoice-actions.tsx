import { useQuery } from '@tanstack/react-query'
import { gateways } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActDialog, MoneyField, Select, TextInput } from '../../../ui/index.ts'
import type { AdminInvoice } from './reads.ts'

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
      {({ fields, set, errors, text, choice }) => (
        <>
          <Select
            {...choice('gatewayId')}
            label={invoices.gateway}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <MoneyField
            label={invoices.amount}
            currency={currency}
            cents={fields.cents}
            error={errors.amountCents}
            onCents={(cents) => set({ cents })}
          />
          <TextInput
            {...text('reference')}
            label={invoices.reference}
            description={invoices.referenceHelp}
          />
          <TextInput {...text('on')} type="date" label={invoices.paidAt} error={errors.paidAt} />
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
      {({ text }) => <TextInput {...text('reason')} label={invoices.reason} />}
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
      call={(fields, intent) =>
        client.POST('/v1/admin/invoices/{id}/credit-note', {
          ...pathOf(invoice),
          body: correctionOf(fields),
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.creditDone}
    >
      {(form) => (
        <>
          <CorrectedAmount invoice={invoice} form={form} />
          <TextInput {...form.text('reason')} label={invoices.reason} />
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
      call={(fields, intent) =>
        client.POST('/v1/admin/invoices/{id}/refund', {
          ...pathOf(invoice),
          body: { to: fields.to, ...correctionOf(fields) },
          ...intent,
        })
      }
      changes={CHANGES}
      told={invoices.refundDone}
    >
      {(form) => (
        <>
          <CorrectedAmount invoice={invoice} form={form} />
          <Select
            {...form.choice('to')}
            label={invoices.refundTo}
            data={[
              { value: 'payment', label: invoices.toPayment },
              { value: 'credit', label: invoices.toCredit },
            ]}
          />
          <TextInput {...form.text('reason')} label={invoices.reason} />
        </>
      )}
    </ActDialog>
  )
}

type Correction = { readonly cents: number | null; readonly reason: string }

/** The amount and the reason of a correction; without an amount, it corrects the whole invoice. */
function correctionOf({ cents, reason }: Correction) {
  return {
    ...(cents !== null && { amountCents: cents }),
    ...(reason.trim() && { reason: reason.trim() }),
  }
}

type CorrectedProps = {
  readonly invoice: AdminInvoice
  readonly form: {
    readonly fields: Correction
    readonly set: (change: { cents: number | null }) => void
    readonly errors: Readonly<Record<string, string>>
  }
}

function CorrectedAmount({ invoice: { currency }, form: { fields, set, errors } }: CorrectedProps) {
  const { invoices } = useAdminTexts()
  return (
    <MoneyField
      label={invoices.amount}
      description={invoices.wholeAmount}
      currency={currency}
      cents={fields.cents}
      error={errors.amountCents}
      onCents={(cents) => set({ cents })}
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
