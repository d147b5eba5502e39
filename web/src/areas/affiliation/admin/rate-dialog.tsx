import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormDialog,
  MoneyField,
  NumberField,
  RemoveButton,
  SegmentedControl,
  Select,
  told,
} from '../../../ui/index.ts'
import { type Rate, useProducts } from './reads.ts'

type Fields = {
  productId: string
  type: Rate['type']
  percent: number | null
  amountCents: number | null
}

/** Sets or changes the commission of a product. */
export function RateDialog({ rate, close }: { rate: Rate | null; close: () => void }) {
  const { affiliates } = useAdminTexts()
  const { known, nameOf } = useProducts()
  const currency = rate?.currency ?? boot.currency
  const form = useForm({
    name: `commission-rate:${rate?.id ?? 'new'}`,
    saved: {
      ...{ productId: rate?.productId ?? '', type: rate?.type ?? 'percent' },
      percent: rate?.percentBasisPoints ? rate.percentBasisPoints / 100 : null,
      amountCents: rate?.amountCents ?? null,
    } as Fields,
    call: ({ productId, type, percent, amountCents }, intent) =>
      client.PUT('/v1/admin/commission-rates/{productId}', {
        params: { path: { productId } },
        body:
          type === 'percent'
            ? { type, percentBasisPoints: Math.round((percent ?? 0) * 100) }
            : { type, amountCents, currency },
        ...intent,
      }),
    edits: null,
    changes: [['admin', 'commission-rates']],
    done: () => {
      told(affiliates.rateSaved)
      close()
    },
  })
  const { fields, set, choice, errors } = form
  const isPercent = fields.type === 'percent'
  return (
    <FormDialog
      {...{ form, close }}
      title={rate ? affiliates.editRate(nameOf(rate.productId)) : affiliates.addRate}
      save={affiliates.save}
      isIncomplete={
        fields.productId === '' || (isPercent ? fields.percent : fields.amountCents) === null
      }
      removal={rate ? <Removal {...{ rate, close }} name={nameOf(rate.productId)} /> : null}
    >
      <p className="dim">{affiliates.rateText}</p>
      {rate ? null : (
        <Select
          {...choice('productId')}
          label={affiliates.product}
          searchable
          required
          data={known.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <SegmentedControl
        aria-label={affiliates.type}
        value={fields.type}
        data={(['percent', 'fixed'] as const).map((value) => ({
          value,
          label: affiliates.types[value],
        }))}
        onChange={(type) => set({ type: type === 'fixed' ? 'fixed' : 'percent' })}
      />
      {isPercent ? (
        <NumberField
          name="percentBasisPoints"
          label={affiliates.percent}
          unit="%"
          digits={2}
          value={fields.percent}
          error={errors.percentBasisPoints}
          required
          change={(percent) => set({ percent })}
        />
      ) : (
        <MoneyField
          name="amountCents"
          label={affiliates.fixed}
          currency={currency}
          cents={fields.amountCents}
          error={errors.amountCents}
          required
          onCents={(amountCents) => set({ amountCents })}
        />
      )}
    </FormDialog>
  )
}

type RemovalProps = { readonly rate: Rate; readonly name: string; readonly close: () => void }

function Removal({ rate: { productId }, name, close }: RemovalProps) {
  const { affiliates } = useAdminTexts()
  return (
    <RemoveButton
      verb={affiliates.removeRate}
      title={affiliates.removeRateTitle(name)}
      call={() =>
        client.DELETE('/v1/admin/commission-rates/{productId}', { params: { path: { productId } } })
      }
      changes={[['admin', 'commission-rates']]}
      told={affiliates.rateRemoved}
      done={close}
    >
      {affiliates.removeRateText}
    </RemoveButton>
  )
}
