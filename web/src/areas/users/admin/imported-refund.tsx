import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { gateways } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActButton, MoneyField, Select, TextInput, useFormats } from '../../../ui/index.ts'

type Payment = components['schemas']['ImportedPayment']

/** The part of a payment of the previous system that can still be refunded, in cents. */
function refundable({ inCents, outCents, refundedCents, refundOf }: Payment): number {
  return refundOf === null ? Math.max(0, inCents - outCents - refundedCents) : 0
}

/** Records that a payment of the previous system was refunded outside of this shop; nothing if none of it is left. */
export function RecordRefund({ payment }: { payment: Payment }) {
  const { people } = useAdminTexts()
  const texts = people.importedRefund
  const { money } = useFormats()
  const may = useMay()
  const { id, currency } = payment
  const left = refundable(payment)
  const known =
    useQuery({ ...gateways, enabled: left > 0 && may('gateways:read') }).data?.data ?? []
  if (left === 0 || !may('invoices:write')) return null
  return (
    <ActButton
      variant="subtle"
      label={texts.record}
      title={texts.title(payment.reference || payment.gateway)}
      consequence={texts.text(money(left, currency))}
      verb={texts.record}
      initial={{ cents: left as number | null, gatewayId: '', reference: '', reason: '' }}
      isIncomplete={({ cents, reason }) => !cents || cents > left || reason.trim() === ''}
      call={({ cents, gatewayId, reference, reason }, intent) =>
        client.POST('/v1/admin/imported-payments/{id}/refunds', {
          params: { path: { id } },
          body: {
            ...{ amountCents: cents ?? 0, reason: reason.trim() },
            ...(gatewayId && { gatewayId }),
            ...(reference.trim() && { reference: reference.trim() }),
          },
          ...intent,
        })
      }
      changes={[
        ['admin', 'imported-payments'],
        ['admin', 'people', payment.userId],
      ]}
      told={texts.recorded}
    >
      {({ fields, set, errors, text }) => (
        <>
          <MoneyField
            label={people.amount}
            currency={currency}
            cents={fields.cents}
            error={
              fields.cents !== null && fields.cents > left
                ? texts.tooMuch(money(left, currency))
                : errors.amountCents
            }
            onCents={(cents) => set({ cents })}
          />
          <Select
            label={texts.gateway}
            allowDeselect={false}
            value={fields.gatewayId}
            data={[
              { value: '', label: texts.elsewhere },
              ...known.map((it) => ({ value: it.id, label: it.name })),
            ]}
            onChange={(value) => set({ gatewayId: value ?? '' })}
          />
          <TextInput
            {...text('reference')}
            label={texts.reference}
            description={texts.referenceHint}
            maxLength={200}
          />
          <TextInput {...text('reason')} label={people.reason} maxLength={200} />
        </>
      )}
    </ActButton>
  )
}
