import { LOCALES, type Locale } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { boot } from '../../../../api/boot.ts'
import { client } from '../../../../api/client.ts'
import { orNull, useForm } from '../../../../api/forms.ts'
import { meta } from '../../../../api/reads.ts'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import {
  FormDialog,
  LanguageSelect,
  Select,
  TextInput,
  told,
  useFormats,
} from '../../../../ui/index.ts'
import { COUNTRIES } from '../../../account/index.ts'

/** Creates an account without a password, and opens its page. */
export function NewPerson({ close }: { close: () => void }) {
  const { people } = useAdminTexts()
  const { countries } = useFormats()
  const navigate = useNavigate()
  const shopLocale = useQuery(meta).data?.locale
  const form = useForm({
    name: 'person:new',
    saved: {
      ...{ email: '', name: '', company: '', phone: '', locale: null as Locale | null },
      ...{ country: '', line1: '', postcode: '', city: '' },
    },
    call: ({ email, name, company, phone, locale, country, line1, postcode, city }, intent) =>
      client.POST('/v1/admin/users', {
        body: {
          ...{ email: email.trim(), name: name.trim(), ...(locale && { locale }) },
          ...{ company: orNull(company), phone: orNull(phone), country: orNull(country) },
          ...(line1.trim() &&
            country && {
              address: {
                ...{ line1: line1.trim(), postcode: postcode.trim(), city: city.trim(), country },
              },
            }),
        },
        ...intent,
      }),
    edits: null,
    changes: [['admin', 'people', 'list']],
    done: async ({ id }) => {
      form.reset()
      close()
      told(people.created)
      await navigate({ to: '/admin/people/$id', params: { id } })
    },
  })
  const { fields, text, choice, set } = form
  const hasStreet = fields.line1.trim() !== ''
  return (
    <FormDialog
      {...{ form, close }}
      atSide
      title={people.create}
      save={people.createVerb}
      isIncomplete={
        fields.email.trim() === '' ||
        fields.name.trim() === '' ||
        (hasStreet &&
          (!fields.country || fields.postcode.trim() === '' || fields.city.trim() === ''))
      }
    >
      <p className="dim">{people.createText}</p>
      <TextInput {...text('email')} type="email" label={people.email} required data-autofocus />
      <TextInput {...text('name')} label={people.name} required />
      <LanguageSelect
        label={people.language}
        description={people.createLanguage}
        value={fields.locale ?? LOCALES.find((it) => it === shopLocale) ?? boot.locale}
        change={(locale) => set({ locale })}
      />
      <TextInput {...text('company')} label={people.company} />
      <TextInput {...text('phone')} type="tel" label={people.phone} />
      <Select
        {...choice('country')}
        label={people.country}
        searchable
        clearable
        required={hasStreet}
        data={[...countries(COUNTRIES)]}
      />
      <TextInput {...text('line1')} label={people.line1} />
      <TextInput {...text('postcode')} label={people.postcode} required={hasStreet} />
      <TextInput {...text('city')} label={people.city} required={hasStreet} />
    </FormDialog>
  )
}
