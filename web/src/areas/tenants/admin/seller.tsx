import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Choice,
  Faulty,
  Loaded,
  Select,
  Switch,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { COUNTRIES } from '../../account/index.ts'
import { presetOf, SELLING_CURRENCIES } from './countries.ts'
import { editedShop, shop } from './reads.ts'

type Seller = components['schemas']['Seller']
type TaxStatus = NonNullable<Seller['taxStatus']>

/** The seller: company, address and tax status. */
export function SellerForm() {
  return <Loaded query={useQuery(shop)}>{({ seller }) => <Form seller={seller} />}</Loaded>
}

function fieldsOf(seller: Seller) {
  const text = (value: string | null) => value ?? ''
  return {
    name: text(seller.name),
    country: text(seller.country),
    line1: text(seller.line1),
    line2: text(seller.line2),
    postcode: text(seller.postcode),
    city: text(seller.city),
    email: text(seller.email),
    registerNumber: text(seller.registerNumber),
    taxStatus: seller.taxStatus ?? ('' as TaxStatus | ''),
    vatNumber: text(seller.vatNumber),
    oneStopShop: seller.oneStopShop,
    currency: seller.currency,
    priceMode: seller.priceMode,
    iban: text(seller.iban),
    bic: text(seller.bic),
  }
}

type Fields = ReturnType<typeof fieldsOf>

function bodyOf(fields: Fields) {
  const { name, country, line1, line2, postcode, city, email, registerNumber } = fields
  const { taxStatus, vatNumber, oneStopShop, currency, priceMode, iban, bic } = fields
  const isRegistered = taxStatus === 'registered'
  return {
    name: name.trim(),
    ...{ line1: line1.trim(), city: city.trim(), currency, priceMode },
    ...(postcode.trim() && { postcode: postcode.trim() }),
    ...(country && { country }),
    ...(taxStatus && { taxStatus }),
    ...{ line2: orNull(line2), email: orNull(email), registerNumber: orNull(registerNumber) },
    ...{ iban: orNull(iban), bic: orNull(bic) },
    vatNumber: isRegistered ? orNull(vatNumber) : null,
    oneStopShop: isRegistered && oneStopShop,
  }
}

function Form({ seller }: { seller: Seller }) {
  const { setup } = useAdminTexts()
  const { common } = useTexts()
  const { seller: texts } = setup
  const { countries: countriesOf } = useFormats()
  const may = useMay()
  const form = useForm({
    name: 'seller',
    saved: fieldsOf(seller),
    call: (wanted, intent) =>
      client.PATCH('/v1/admin/shop', { body: { seller: bodyOf(wanted) }, ...intent }),
    edits: editedShop(({ seller: it }) => fieldsOf(it)),
    changes: [['shop'], ['admin', 'readiness']],
    done: () => told(texts.saved),
  })
  const { fields, set, text, choice, flag } = form
  const { vatPrefix, isEu } = presetOf(fields.country)
  const countries = countriesOf(COUNTRIES)
  /** Choosing a country sets its usual defaults, until a seller is saved. */
  const chooseCountry = (country: string | null) => {
    const { currency, priceMode } = presetOf(country ?? '')
    set({ country: country ?? '', ...(seller.country === null && { currency, priceMode }) })
  }
  return (
    <form className="stack s24" onSubmit={form.submit}>
      <Faulty fault={form.fault} />
      <Card title={texts.company}>
        <div className="stack form-width">
          <Select
            {...choice('country')}
            label={texts.country}
            searchable
            required
            data={countries}
            onChange={chooseCountry}
          />
          <TextInput
            {...text('name')}
            label={texts.name}
            description={texts.nameHint}
            autoComplete="organization"
            required
          />
          <TextInput {...text('line1')} label={texts.line1} autoComplete="address-line1" required />
          <div className="grid cols-2">
            <TextInput
              {...text('postcode')}
              label={texts.postcode}
              autoComplete="postal-code"
              required={isEu}
            />
            <TextInput
              {...text('city')}
              label={texts.city}
              autoComplete="address-level2"
              required
            />
          </div>
          <TextInput
            {...text('registerNumber')}
            label={texts.registerNumbers[fields.country] ?? texts.registerNumber}
            autoComplete="off"
            required={fields.country === 'FR'}
          />
        </div>
      </Card>
      <Card title={texts.taxes}>
        <div className="stack form-width">
          <Taxes
            value={fields.taxStatus}
            country={fields.country}
            error={form.errors.taxStatus}
            change={(taxStatus) => set({ taxStatus })}
          />
          {fields.taxStatus === 'registered' ? (
            <>
              <TextInput
                {...text('vatNumber')}
                label={texts.vatNumber}
                description={vatPrefix ? texts.vatNumberExample(vatPrefix) : null}
                autoComplete="off"
                required={isEu}
              />
              {isEu ? (
                <Switch
                  {...flag('oneStopShop')}
                  label={texts.oneStopShop}
                  description={texts.oneStopShopHint}
                />
              ) : null}
            </>
          ) : null}
          <div className="grid cols-2">
            <Select
              {...choice('currency')}
              label={texts.currency}
              searchable
              allowDeselect={false}
              data={[...new Set([...SELLING_CURRENCIES, fields.currency])]}
            />
            <Select
              {...choice('priceMode')}
              label={texts.prices}
              allowDeselect={false}
              data={[
                { value: 'inclusive', label: texts.inclusive },
                { value: 'exclusive', label: texts.exclusive },
              ]}
            />
          </div>
        </div>
      </Card>
      <Card title={texts.more}>
        <div className="stack form-width">
          <TextInput
            {...text('email')}
            label={texts.email}
            description={texts.emailHint}
            type="email"
            autoComplete="email"
          />
          <TextInput {...text('line2')} label={texts.line2} autoComplete="address-line2" />
          <div className="grid cols-2">
            <TextInput {...text('iban')} label={texts.iban} autoComplete="off" />
            <TextInput {...text('bic')} label={texts.bic} autoComplete="off" />
          </div>
        </div>
      </Card>
      {may('shop:write') ? (
        <div className="row">
          <Button type="submit" loading={form.isSaving}>
            {common.save}
          </Button>
          {form.isChanged ? (
            <Button variant="default" onClick={form.reset}>
              {common.cancel}
            </Button>
          ) : null}
        </div>
      ) : null}
    </form>
  )
}

type TaxesProps = {
  readonly value: TaxStatus | ''
  readonly country: string
  readonly error: string | undefined
  readonly change: (value: TaxStatus) => void
}

function Taxes({ value, country, error, change }: TaxesProps) {
  const { setup } = useAdminTexts()
  const { seller: texts } = setup
  const rule = texts.smallBusinessRules[country] ?? texts.smallBusinessRule
  return (
    <Choice
      name="taxStatus"
      label={texts.taxStatus}
      value={value}
      error={error}
      change={change}
      options={[
        { value: 'registered', title: texts.registered, hint: texts.registeredHint },
        {
          value: 'small_business',
          title: texts.smallBusiness,
          hint: texts.smallBusinessHint(rule),
        },
        { value: 'not_subject', title: texts.notSubject, hint: texts.notSubjectHint },
      ]}
    />
  )
}
