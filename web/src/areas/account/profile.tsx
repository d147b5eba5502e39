import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { fieldErrors, useAction } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { me } from '../../api/reads.ts'
import { useTexts } from '../../texts/index.tsx'
import {
  Button,
  Card,
  Checkbox,
  LanguageSelect,
  Loaded,
  Notice,
  refused,
  Select,
  Tag,
  TextInput,
  type Tone,
  told,
  useFormats,
} from '../../ui/index.ts'
import { COUNTRIES } from './countries.ts'
import { AccountFrame } from './frame.tsx'
import type { Proof } from './proof.tsx'

const Proven = lazy(async () => ({ default: (await import('./proof.tsx')).Proven }))

type Me = components['schemas']['Me']

/** Name, address and language of the person. */
export function Profile() {
  const { account } = useTexts()
  return (
    <AccountFrame title={account.profile}>
      <Loaded query={useQuery(me)}>{(person) => <Form person={person} />}</Loaded>
    </AccountFrame>
  )
}

const VAT_TONES: Readonly<Record<Me['vatStatus'], Tone>> = {
  none: 'ended',
  unchecked: 'waiting',
  valid: 'active',
  invalid: 'failed',
  unavailable: 'attention',
}

const emptyToNull = (text: string) => (text.trim() === '' ? null : text.trim())

function fieldsOf(person: Me) {
  const { address } = person
  return {
    name: person.name,
    phone: person.phone ?? '',
    locale: person.locale,
    timeZone: person.timeZone ?? '',
    marketing: person.marketingConsentAt !== null,
    company: person.company ?? '',
    vatNumber: person.vatNumber ?? '',
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    postcode: address?.postcode ?? '',
    city: address?.city ?? '',
    region: address?.region ?? '',
    country: address?.country ?? person.country ?? '',
  }
}

type Fields = ReturnType<typeof fieldsOf>

function bodyOf(fields: Fields) {
  const { line1, line2, postcode, city, region, country } = fields
  const hasAddress = line1.trim() !== ''
  return {
    name: fields.name.trim(),
    phone: emptyToNull(fields.phone),
    locale: fields.locale,
    timeZone: emptyToNull(fields.timeZone),
    marketingConsent: fields.marketing,
    company: emptyToNull(fields.company),
    vatNumber: emptyToNull(fields.vatNumber),
    ...(hasAddress && {
      address: {
        ...{ line1: line1.trim(), postcode: postcode.trim(), city: city.trim(), country },
        ...{ line2: emptyToNull(line2), region: emptyToNull(region) },
      },
    }),
    ...(!hasAddress && country && { country }),
  }
}

function Form({ person }: { person: Me }) {
  const { account, common } = useTexts()
  const { countries: countriesOf } = useFormats()
  const saved = fieldsOf(person)
  const { fields, isChanged, set, settle, clear } = useDraft<Fields>('profile', saved)
  const save = useAction(
    (wanted: Fields) => client.PATCH('/v1/users/me', { body: bodyOf(wanted) }),
    {
      changes: [['me']],
      done: (changed, wanted) => {
        const { locale, timeZone } = wanted
        settle(wanted, fieldsOf(changed))
        told(common.saved)
        // Everything on the screen depends on the language and the time zone, so the page is loaded again.
        if (locale !== person.locale) location.assign(`?lang=${locale}`)
        else if (timeZone !== saved.timeZone) location.reload()
      },
      failed: (error) => {
        refused(common.refused, error.message)
        const [first] = Object.keys(fieldErrors(error))
        document.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      },
    },
  )
  const errors = fieldErrors(save.error)
  const text = (name: keyof Fields, label: string, autoComplete: string, isRequired = false) => (
    <TextInput
      {...{ name, label, autoComplete, required: isRequired }}
      value={String(fields[name])}
      error={errors[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  const countries = countriesOf(COUNTRIES)
  return (
    <>
      <Email person={person} />
      <form
        className="stack s24"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(fields)
        }}
      >
        <Card title={account.contact}>
          <div className="stack form-width">
            {text('name', account.name, 'name', true)}
            {text('phone', account.phone, 'tel')}
            <LanguageSelect
              label={account.language}
              value={fields.locale}
              change={(locale) => set({ locale })}
            />
            <Select
              label={account.timeZone}
              searchable
              clearable
              value={fields.timeZone || null}
              data={Intl.supportedValuesOf('timeZone')}
              error={errors.timeZone}
              onChange={(timeZone) => set({ timeZone: timeZone ?? '' })}
            />
            <Checkbox
              label={account.offers}
              description={account.offersText}
              checked={fields.marketing}
              onChange={(event) => set({ marketing: event.currentTarget.checked })}
            />
          </div>
        </Card>
        <Card title={account.billingAddress}>
          <div className="stack form-width">
            {text('company', account.company, 'organization')}
            {text('vatNumber', account.vatNumber, 'off')}
            {person.vatStatus === 'none' ? null : (
              <div>
                <Tag tone={VAT_TONES[person.vatStatus]}>{account.vatStatus[person.vatStatus]}</Tag>
              </div>
            )}
            {text('line1', account.line1, 'address-line1')}
            {text('line2', account.line2, 'address-line2')}
            {text('postcode', account.postcode, 'postal-code', fields.line1 !== '')}
            {text('city', account.city, 'address-level2', fields.line1 !== '')}
            {text('region', account.region, 'address-level1')}
            <Select
              label={account.country}
              searchable
              value={fields.country || null}
              data={countries}
              error={errors.country}
              onChange={(country) => set({ country: country ?? '' })}
            />
          </div>
        </Card>
        <div className="row">
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {common.save}
          </Button>
          {isChanged ? (
            <Button variant="default" onClick={() => clear(saved)}>
              {common.cancel}
            </Button>
          ) : null}
        </div>
      </form>
    </>
  )
}

function Email({ person }: { person: Me }) {
  const { account, common } = useTexts()
  const [email, setEmail] = useState(person.email)
  const [isAsking, ask] = useState(false)
  const change = useAction(
    (wanted: Proof & { email: string }) => client.PATCH('/v1/users/me', { body: wanted }),
    {
      changes: [['me']],
      done: () => {
        ask(false)
        told(common.saved)
      },
    },
  )
  const resend = useAction((_: null) => client.POST('/v1/auth/email/resend', { body: {} }), {
    done: () => told(account.sentAgain),
    failed: (error) => refused(common.refused, error.message),
  })
  return (
    <>
      {person.emailVerifiedAt === null ? (
        <Notice
          tone="attention"
          title={account.emailUnconfirmed}
          action={
            <Button size="xs" loading={resend.isPending} onClick={() => resend.mutate(null)}>
              {account.sendAgain}
            </Button>
          }
        >
          {account.emailUnconfirmedText}
        </Notice>
      ) : null}
      <Card title={account.email}>
        <form
          className="stack form-width"
          onSubmit={(event) => {
            event.preventDefault()
            ask(true)
          }}
        >
          <TextInput
            label={account.email}
            type="email"
            autoComplete="email"
            required
            value={email}
            description={person.pendingEmail ? account.emailPending(person.pendingEmail) : null}
            error={fieldErrors(change.error).email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <div>
            <Button type="submit" disabled={email === person.email}>
              {common.save}
            </Button>
          </div>
        </form>
        {isAsking ? (
          <Suspense>
            <Proven
              opened={isAsking}
              close={() => ask(false)}
              title={account.proof}
              action={common.save}
              run={(proof) => change.mutate({ ...proof, email })}
              isRunning={change.isPending}
              error={change.error}
            />
          </Suspense>
        ) : null}
      </Card>
    </>
  )
}
