import { useNavigate } from '@tanstack/react-router'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { FormDialog, MoneyField, NumberField, TextInput, told } from '../../../ui/index.ts'
import { CHANGES, type Voucher } from './reads.ts'

/** The end of a day as an instant; null for none. */
function endOf(day: string): string | null {
  return day === '' ? null : `${day}T23:59:59.999Z`
}

/** Creates vouchers, and opens their page, where the codes are downloaded. */
export function NewBatch({ close }: { close: () => void }) {
  const { vouchers } = useAdminTexts().moneyRules
  const navigate = useNavigate()
  const form = useForm({
    name: 'vouchers:new',
    saved: { name: '', amountCents: null as number | null, count: 1 as number | null, until: '' },
    edits: null,
    changes: CHANGES,
    call: ({ name, amountCents, count, until }, intent) =>
      client.POST('/v1/admin/vouchers/batches', {
        body: {
          ...{ name: name.trim(), amountCents: amountCents ?? 0, count: count ?? 0 },
          ...{ currency: boot.currency, expiresAt: endOf(until) },
        },
        ...intent,
      }),
    done: ({ id }) => {
      form.reset()
      void navigate({ to: '/admin/vouchers/$id', params: { id } })
    },
  })
  const { fields, set, text, errors } = form
  return (
    <FormDialog
      title={vouchers.add}
      form={form}
      close={close}
      save={vouchers.create}
      isIncomplete={
        fields.name.trim() === '' || fields.amountCents === null || fields.count === null
      }
    >
      <TextInput
        {...text('name')}
        label={vouchers.name}
        description={vouchers.nameText}
        maxLength={100}
        autoComplete="off"
        required
        data-autofocus
      />
      <div className="grid cols-2">
        <MoneyField
          name="amountCents"
          label={vouchers.amount}
          currency={boot.currency}
          cents={fields.amountCents}
          error={errors.amountCents}
          required
          onCents={(amountCents) => set({ amountCents })}
        />
        <NumberField
          name="count"
          label={vouchers.count}
          value={fields.count}
          error={errors.count}
          required
          change={(count) => set({ count })}
        />
      </div>
      <TextInput
        {...text('until')}
        type="date"
        label={vouchers.until}
        description={vouchers.untilText}
        error={errors.expiresAt}
      />
      <p className="sub">{vouchers.booking}</p>
    </FormDialog>
  )
}

/** Gives an expired voucher a new end. */
export function Reopen({ voucher, close }: { voucher: Voucher; close: () => void }) {
  const { vouchers } = useAdminTexts().moneyRules
  const params = { path: { id: voucher.id } }
  const form = useForm({
    name: `voucher:${voucher.id}`,
    saved: { until: '' },
    edits: null,
    changes: CHANGES,
    call: ({ until }, intent) =>
      client.POST('/v1/admin/vouchers/{id}/reopen', {
        params,
        body: { expiresAt: endOf(until) },
        ...intent,
      }),
    done: () => {
      form.reset()
      told(vouchers.reopened)
      close()
    },
  })
  const { text, errors } = form
  return (
    <FormDialog
      title={vouchers.reopenTitle(voucher.last4)}
      form={form}
      close={close}
      save={vouchers.reopen}
    >
      <TextInput
        {...text('until')}
        type="date"
        label={vouchers.until}
        description={vouchers.untilText}
        error={errors.expiresAt}
        data-autofocus
      />
    </FormDialog>
  )
}
