import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormDialog,
  NumberField,
  RemoveButton,
  Select,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import type { TaxRate } from './reads.ts'

type DialogProps = {
  readonly rate: TaxRate | null
  readonly countries: readonly { readonly value: string; readonly label: string }[]
  readonly close: () => void
}

function fieldsOf(rate: TaxRate | null): RateFields {
  return {
    ...{ name: rate?.name ?? '', country: rate?.country ?? '', class: rate?.class ?? '' },
    ...{ percent: rate ? rate.rateBasisPoints / 100 : null, from: '' },
  }
}

/** The dialog of a new tax rate, or of an existing one with its history. */
export function RateDialog({ rate, countries, close }: DialogProps) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.taxRates
  const formats = useFormats()
  const params = { path: { id: rate?.id ?? '' } }
  const form = useForm({
    name: `tax-rate:${rate?.id ?? 'new'}`,
    saved: fieldsOf(rate),
    call: (wanted, intent) => {
      const { name, country, percent, from } = wanted
      const rateBasisPoints = Math.round((percent ?? 0) * 100)
      const body = {
        ...{ name: name.trim(), country, rateBasisPoints },
        ...(wanted.class.trim() && { class: wanted.class.trim() }),
      }
      return rate
        ? client.PATCH('/v1/admin/tax-rates/{id}', {
            params,
            body: { ...body, ...(from && { effectiveFrom: from }) },
            ...intent,
          })
        : client.POST('/v1/admin/tax-rates', {
            body: { ...body, ...(from && { validFrom: from }) },
            ...intent,
          })
    },
    edits: rate && { read: () => client.GET('/v1/admin/tax-rates/{id}', { params }), fieldsOf },
    changes: [['tax-rates'], ['admin', 'readiness']],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  const { fields, set, text, choice, errors } = form
  return (
    <FormDialog
      title={rate ? texts.edit(rate.name) : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={rate ? <Removal rate={rate} close={close} /> : null}
    >
      <Select
        {...choice('country')}
        label={texts.country}
        searchable
        required
        data={[...countries]}
      />
      <TextInput
        {...text('name')}
        label={texts.name}
        description={texts.nameHint}
        required
        data-autofocus
      />
      <div className="grid cols-2">
        <NumberField
          name="rateBasisPoints"
          label={texts.rate}
          unit="%"
          digits={2}
          value={fields.percent}
          error={errors.percent ?? errors.rateBasisPoints}
          required
          change={(percent) => set({ percent })}
        />
        <TextInput {...text('from')} type="date" label={texts.from} />
      </div>
      <p className="sub">{texts.fromHint}</p>
      <TextInput {...text('class')} label={texts.class} description={texts.classHint} />
      {rate && rate.versions.length > 1 ? (
        <div>
          <h3 className="legend-label">{texts.history}</h3>
          <ul className="sub">
            {rate.versions.map(({ rateBasisPoints, validFrom }) => (
              <li key={validFrom}>
                {texts.versionFrom(formats.rate(rateBasisPoints), formats.date(validFrom))}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </FormDialog>
  )
}

type RateFields = {
  name: string
  country: string
  class: string
  percent: number | null
  from: string
}

function Removal({ rate, close }: { rate: TaxRate; close: () => void }) {
  const { moneyRules } = useAdminTexts()
  const texts = moneyRules.taxRates
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle(rate.name)}
      call={() => client.DELETE('/v1/admin/tax-rates/{id}', { params: { path: { id: rate.id } } })}
      changes={[['tax-rates']]}
      told={texts.removed}
      done={close}
    >
      {texts.removeText}
    </RemoveButton>
  )
}
