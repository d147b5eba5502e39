import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { viewAs } from '../../../api/session.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { ActDialog, FormDialog, MoneyField, TextInput, told } from '../../../ui/index.ts'
import type { Person } from './reads.ts'

type DialogProps = {
  readonly person: Person
  readonly opened: boolean
  readonly close: () => void
}

/** Asks for a reason, then shows the customer area as this customer. */
export function ViewAs({ person: { id, name }, opened, close }: DialogProps) {
  const { people } = useAdminTexts()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <ActDialog
      {...{ opened, close }}
      title={people.viewTitle(name)}
      consequence={people.viewText}
      verb={people.view}
      initial={{ reason: '' }}
      isIncomplete={({ reason }) => reason.trim() === ''}
      call={({ reason }) =>
        client.POST('/v1/admin/users/{id}/impersonate', {
          params: { path: { id } },
          body: { reason: reason.trim() },
        })
      }
      changes={[]}
      done={async (begun) => {
        viewAs(id, begun)
        queries.clear()
        await navigate({ to: '/home' })
      }}
    >
      {({ text }) => (
        <TextInput
          {...text('reason')}
          label={people.reason}
          description={people.viewReasonKept}
          maxLength={200}
        />
      )}
    </ActDialog>
  )
}

/** Adds or removes goodwill credit. */
export function GiveCredit({ person: { id, name }, opened, close }: DialogProps) {
  const { people } = useAdminTexts()
  const path = { path: { id } }
  return (
    <ActDialog
      {...{ opened, close }}
      title={people.creditTitle(name)}
      consequence={people.creditText}
      verb={people.giveCredit}
      initial={{ cents: null as number | null, reason: '' }}
      isIncomplete={({ cents, reason }) => !cents || reason.trim() === ''}
      call={({ cents, reason }, intent) =>
        client.POST('/v1/admin/users/{id}/credits', {
          params: path,
          body: { amountCents: cents ?? 0, reason: reason.trim() },
          ...intent,
        })
      }
      changes={[
        ['admin', 'people', id],
        ['admin', 'statement', id],
      ]}
      told={people.credited}
    >
      {({ fields, set, errors, text }) => (
        <>
          <MoneyField
            isSigned
            label={people.amount}
            currency={boot.currency}
            cents={fields.cents}
            error={errors.amountCents}
            onCents={(cents) => set({ cents })}
          />
          <TextInput
            {...text('reason')}
            label={people.reason}
            description={people.reasonSeen}
            maxLength={200}
          />
        </>
      )}
    </ActDialog>
  )
}

/** Suspends the account, or lifts the suspension. */
export function Suspend({ person: { id, name, status }, opened, close }: DialogProps) {
  const { people } = useAdminTexts()
  const isSuspended = status === 'suspended'
  const path = { params: { path: { id } } }
  return (
    <ActDialog
      {...{ opened, close }}
      title={isSuspended ? people.unsuspendTitle(name) : people.suspendTitle(name)}
      consequence={isSuspended ? people.unsuspendText : people.suspendText}
      verb={isSuspended ? people.unsuspendVerb : people.suspendVerb}
      isDangerous={!isSuspended}
      initial={{}}
      call={(_, intent) =>
        isSuspended
          ? client.POST('/v1/admin/users/{id}/unsuspend', { ...path, ...intent })
          : client.POST('/v1/admin/users/{id}/suspend', { ...path, ...intent })
      }
      changes={[['admin', 'people']]}
      told={isSuspended ? people.unsuspended : people.suspended}
    />
  )
}

/** An address is saved as a whole, so the parts that the form does not show are among its fields. */
function fieldsOf({ name, company, vatNumber, phone, address, country }: Person) {
  return {
    ...{ name, company: company ?? '', vatNumber: vatNumber ?? '', phone: phone ?? '' },
    ...{ line1: address?.line1 ?? '', postcode: address?.postcode ?? '' },
    ...{ city: address?.city ?? '', line2: address?.line2 ?? '', region: address?.region ?? '' },
    // Without a country there is no address: the customer enters it at the first order.
    country: address?.country ?? country ?? '',
  }
}

/** Name, company and address for future invoices. */
export function EditPerson({ person, opened, close }: DialogProps) {
  return opened ? <PersonForm person={person} close={close} /> : null
}

function PersonForm({ person, close }: Omit<DialogProps, 'opened'>) {
  const { people } = useAdminTexts()
  const { name } = person
  const params = { path: { id: person.id } }
  const form = useForm({
    name: `person:${person.id}`,
    saved: fieldsOf(person),
    call: ({ line1, line2, postcode, city, region, country, ...fields }, intent) =>
      client.PATCH('/v1/admin/users/{id}', {
        params,
        body: {
          name: fields.name.trim(),
          company: orNull(fields.company),
          vatNumber: orNull(fields.vatNumber),
          phone: orNull(fields.phone),
          ...(line1.trim() &&
            country && {
              address: {
                ...{ line1: line1.trim(), postcode: postcode.trim(), city: city.trim() },
                ...{ line2: orNull(line2), region: orNull(region), country },
              },
            }),
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/users/{id}', { params }), fieldsOf },
    changes: [['admin', 'people']],
    done: () => {
      told(people.saved)
      close()
    },
  })
  return (
    <FormDialog
      {...{ form, close }}
      title={people.editTitle(name)}
      save={people.edit}
      isIncomplete={form.fields.name.trim() === ''}
    >
      <p className="dim">{people.editText}</p>
      {(
        [
          ...(['name', 'company', 'vatNumber', 'phone'] as const),
          ...(form.fields.country ? (['line1', 'postcode', 'city'] as const) : []),
        ] as const
      ).map((field) => (
        <TextInput key={field} {...form.text(field)} label={people[field]} />
      ))}
    </FormDialog>
  )
}
