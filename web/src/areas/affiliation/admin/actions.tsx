import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActDialog, MoneyField, Select, TextInput, useFormats } from '../../../ui/index.ts'
import type { Affiliate } from './reads.ts'

type DialogProps = {
  readonly affiliate: Affiliate
  readonly opened: boolean
  readonly close: () => void
}

const CHANGES = [['admin', 'affiliates']]

/** Suspends an affiliate, or lifts the suspension. */
export function SuspendAffiliate({ affiliate: it, opened, close }: DialogProps) {
  const { affiliates } = useAdminTexts()
  const isSuspended = it.status === 'suspended'
  const params = { path: { id: it.id } }
  return (
    <ActDialog
      {...{ opened, close }}
      title={isSuspended ? affiliates.unsuspendTitle(it.name) : affiliates.suspendTitle(it.name)}
      consequence={isSuspended ? affiliates.unsuspendText : affiliates.suspendText}
      verb={isSuspended ? affiliates.unsuspend : affiliates.suspend}
      isDangerous={!isSuspended}
      initial={{ reason: '' }}
      call={({ reason }, intent) =>
        isSuspended
          ? client.POST('/v1/admin/affiliates/{id}/unsuspend', { params, ...intent })
          : client.POST('/v1/admin/affiliates/{id}/suspend', {
              params,
              body: reason.trim() ? { reason: reason.trim() } : {},
              ...intent,
            })
      }
      changes={CHANGES}
      told={isSuspended ? affiliates.unsuspended : affiliates.suspended}
    >
      {({ text }) =>
        isSuspended ? null : (
          <TextInput {...text('reason')} label={affiliates.reason} maxLength={500} />
        )
      }
    </ActDialog>
  )
}

/** Books money that was transferred to an affiliate. */
export function BookPayout({ affiliate: it, opened, close }: DialogProps) {
  const { affiliates } = useAdminTexts()
  const { money } = useFormats()
  const payable = it.totals.filter(({ availableCents }) => availableCents > 0)
  const [first] = payable
  const params = { path: { id: it.id } }
  return (
    <ActDialog
      {...{ opened, close }}
      title={affiliates.payoutTitle(it.name)}
      consequence={affiliates.payoutText}
      verb={affiliates.payout}
      initial={{
        currency: first?.currency ?? '',
        cents: first?.availableCents ?? (null as number | null),
        paidOn: new Date().toISOString().slice(0, 10),
        ...{ method: affiliates.methodExample as string, reference: '' },
      }}
      isIncomplete={({ cents, paidOn, method, reference }) =>
        !cents || !paidOn || method.trim() === '' || reference.trim() === ''
      }
      call={({ currency, cents, paidOn, method, reference }, intent) =>
        client.POST('/v1/admin/affiliates/{id}/payouts', {
          params,
          body: {
            ...{ currency, amountCents: cents ?? 0, paidOn },
            ...{ method: method.trim(), reference: reference.trim() },
          },
          ...intent,
        })
      }
      changes={CHANGES}
      told={affiliates.payoutBooked}
    >
      {({ fields, set, errors, text }) => {
        const chosen = payable.find(({ currency }) => currency === fields.currency)
        return (
          <>
            {payable.length > 1 ? (
              <Select
                label={affiliates.currency}
                allowDeselect={false}
                value={fields.currency}
                data={payable.map(({ currency }) => currency)}
                onChange={(currency) => {
                  const wanted = payable.find((total) => total.currency === currency)
                  if (wanted) set({ currency: wanted.currency, cents: wanted.availableCents })
                }}
              />
            ) : null}
            <MoneyField
              label={affiliates.amount}
              currency={fields.currency}
              {...(chosen && {
                description: affiliates.payoutAvailable(
                  money(chosen.availableCents, chosen.currency),
                ),
              })}
              cents={fields.cents}
              error={errors.amountCents}
              required
              onCents={(cents) => set({ cents })}
            />
            <TextInput {...text('paidOn')} type="date" label={affiliates.paidOn} required />
            <TextInput {...text('method')} label={affiliates.method} required maxLength={100} />
            <TextInput
              {...text('reference')}
              label={affiliates.reference}
              description={affiliates.referenceHint}
              required
              maxLength={200}
              autoComplete="off"
            />
          </>
        )
      }}
    </ActDialog>
  )
}
