import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client, readAll } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { FormDialog, Select, Textarea, TextInput } from '../../../ui/index.ts'
import { type Chosen, PersonSelect } from '../../users/admin/person-select.tsx'
import { CHANGES, counts } from './reads.ts'

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

/** All services of a customer. */
const allServicesOf = (userId: string) =>
  readAll(['admin', 'services', 'of', userId, 'all'], (query, signal) =>
    client.GET('/v1/admin/services', { params: { query: { ...query, userId } }, signal }),
  )

type Props = {
  /** Null on a page that is not about a customer: the form asks for one. */
  readonly customer: Chosen | null
  readonly close: () => void
}

/** A ticket with a first message to a customer. It opens when it is written. */
export function NewTicket({ customer, close }: Props) {
  const { tickets } = useAdminTexts()
  const navigate = useNavigate()
  const departments = (useQuery(counts).data?.departments ?? []).filter((it) => !it.archived)
  const [first] = departments
  const form = useForm({
    name: `ticket-for:${customer?.id ?? ''}`,
    saved: {
      ...{ userId: customer?.id ?? '', name: customer?.name ?? '', email: customer?.email ?? '' },
      ...{ departmentId: '', serviceId: '', priority: '', subject: '', body: '' },
    },
    edits: null,
    changes: CHANGES,
    call: ({ userId, subject, body, ...chosen }, intent) => {
      const departmentId = chosen.departmentId || first?.id
      const priority = PRIORITIES.find((it) => it === chosen.priority)
      return client.POST('/v1/admin/tickets', {
        body: {
          ...{ userId, subject: subject.trim(), body: body.trim() },
          ...(departmentId && { departmentId }),
          ...(chosen.serviceId && { serviceId: chosen.serviceId }),
          ...(priority && { priority }),
        },
        ...intent,
      })
    },
    done: ({ id }) => void navigate({ to: '/admin/tickets/$id', params: { id } }),
  })
  const { fields, set, text, choice, errors } = form
  const { userId, name, email, subject, body } = fields
  return (
    <FormDialog
      atSide
      title={customer ? tickets.newFor(customer.name) : tickets.newTicket}
      save={tickets.openTicket}
      form={form}
      close={close}
      isIncomplete={!userId || subject.trim() === '' || body.trim() === ''}
    >
      {customer ? null : (
        <PersonSelect
          name="userId"
          label={tickets.customer}
          description={tickets.personHint}
          error={errors.userId}
          chosen={userId ? { id: userId, name, email } : null}
          choose={(it) =>
            // A service belongs to one customer.
            set({
              ...{ userId: it?.id ?? '', name: it?.name ?? '', email: it?.email ?? '' },
              ...(it?.id === userId ? {} : { serviceId: '' }),
            })
          }
          reasonAgainst={({ status }) => (status === 'deleted' ? tickets.deleted : null)}
        />
      )}
      {departments.length > 1 ? (
        <Select
          {...choice('departmentId')}
          label={tickets.department}
          allowDeselect={false}
          value={fields.departmentId || (first?.id ?? null)}
          data={departments.map((it) => ({ value: it.id, label: it.name }))}
        />
      ) : null}
      <TextInput {...text('subject')} label={tickets.subject} required maxLength={200} />
      <Textarea
        {...text('body')}
        label={tickets.message}
        description={tickets.messageHint}
        required
        autosize
        minRows={6}
        maxRows={20}
        maxLength={50_000}
      />
      {userId ? <ServiceField userId={userId} field={choice('serviceId')} /> : null}
      <Select
        {...choice('priority')}
        label={tickets.priority}
        placeholder={tickets.usualPriority}
        clearable
        data={PRIORITIES.map((value) => ({ value, label: tickets.priorities[value] }))}
      />
    </FormDialog>
  )
}

type FieldProps = {
  readonly userId: string
  readonly field: {
    readonly name: string
    readonly value: string | null
    readonly error: string | undefined
    readonly onChange: (value: string | null) => void
  }
}

/** The service that the ticket is about, for staff who may read services. */
function ServiceField({ userId, field }: FieldProps) {
  const { tickets } = useAdminTexts()
  const { services } = useTexts()
  const mayRead = useMay()('services:read')
  const own = useQuery({ ...allServicesOf(userId), enabled: mayRead }).data ?? []
  if (own.length === 0) return null
  return (
    <Select
      {...field}
      label={tickets.service}
      placeholder={tickets.noService}
      searchable
      clearable
      data={own.map(({ id, name, status }) => ({
        ...{ value: id, label: `${name} (${services.status[status]})` },
      }))}
    />
  )
}
