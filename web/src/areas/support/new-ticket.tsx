import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { partOf } from '../../api/actions.ts'
import { client } from '../../api/client.ts'
import { useForm } from '../../api/forms.ts'
import { services } from '../../api/reads.ts'
import { useLocale, useTexts } from '../../texts/index.tsx'
import { FormDialog, Select, Textarea, TextInput } from '../../ui/index.ts'
import { invoice } from '../billing/reads.ts'
import { IncidentBanner } from '../incidents/banner.tsx'
import { FilesField, NO_FILES } from './files/files.tsx'
import { offer, suggestions, TICKETS } from './reads.ts'

type NewTicketProps = {
  /** The object of the question, from the page that it was asked on. */
  readonly serviceId: string | undefined
  readonly invoiceId: string | undefined
  readonly close: () => void
}

/** A question to the shop. The input is stored until it is sent. */
export function NewTicket({ serviceId = '', invoiceId = '', close }: NewTicketProps) {
  const { tickets } = useTexts()
  const navigate = useNavigate()
  const own = useQuery(services).data?.data ?? []
  const departments = useQuery(offer).data?.departments ?? []
  const [files, setFiles] = useState(NO_FILES)
  const form = useForm({
    name: `ticket:${serviceId}${invoiceId}`,
    saved: { subject: '', body: '', departmentId: '', serviceId },
    edits: null,
    changes: TICKETS,
    call: ({ subject, body, departmentId, serviceId: about }, intent) =>
      client.POST('/v1/tickets', {
        body: {
          ...{ subject: subject.trim(), body: body.trim() },
          ...(departmentId && { departmentId }),
          ...(about && { serviceId: about }),
          ...(invoiceId && { invoiceId }),
          attachmentIds: files.ids,
        },
        // Files are not fields: with other ones the request is another one.
        ...partOf(intent, `${files.ids.length}-${files.ids.at(-1) ?? ''}`),
      }),
    done: ({ id }) => void navigate({ to: '/tickets/$id', params: { id } }),
  })
  const { subject, body } = form.fields
  return (
    <FormDialog
      atSide
      title={tickets.ask}
      save={tickets.send}
      form={form}
      close={close}
      isIncomplete={subject.trim() === '' || body.trim() === '' || files.isUnready}
    >
      <TextInput {...form.text('subject')} label={tickets.subject} required maxLength={200} />
      <Suggestions subject={subject} />
      <Textarea
        {...form.text('body')}
        label={tickets.message}
        description={tickets.messageHint}
        required
        autosize
        minRows={6}
        maxRows={20}
        maxLength={50_000}
      />
      <FilesField report={setFiles} />
      {invoiceId ? <AboutInvoice id={invoiceId} /> : null}
      {own.length > 0 ? (
        <Select
          {...form.choice('serviceId')}
          label={tickets.service}
          placeholder={tickets.noService}
          clearable
          data={own.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      {form.fields.serviceId ? (
        <IncidentBanner besideForm serviceId={form.fields.serviceId} />
      ) : null}
      {departments.length > 1 ? (
        <Select
          {...form.choice('departmentId')}
          label={tickets.department}
          placeholder={departments[0]?.name ?? ''}
          clearable
          data={departments.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
    </FormDialog>
  )
}

/** Debounce of typing before articles are searched for, in ms. */
const PAUSE_MS = 400
/** Fewer words than this are not enough for a search. */
const LEAST = 3

/** Help articles about what is being asked. They open in another tab, so that the question stays open. */
function Suggestions({ subject }: { subject: string }) {
  const { tickets } = useTexts()
  const locale = useLocale()
  const [wanted, want] = useState('')
  const text = subject.trim()
  useEffect(() => {
    const timer = setTimeout(() => want(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const isEnough = wanted.split(/\s+/).length >= LEAST
  const found = useQuery({
    ...suggestions(wanted, locale),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  }).data
  const articles = isEnough ? (found?.data ?? []) : []
  return (
    <div role="status">
      {articles.length > 0 ? (
        <div className="stack s8">
          <p className="legend-label">{tickets.suggestions}</p>
          <ul className="stack s8">
            {articles.map(({ id, slug, title, language }) => (
              <li key={id}>
                <a href={`/help/${slug}`} target="_blank" rel="noreferrer" lang={language}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

function AboutInvoice({ id }: { id: string }) {
  const { tickets, billing } = useTexts()
  const found = useQuery(invoice(id)).data
  return found ? <p>{tickets.aboutInvoice(found.number ?? billing.proforma)}</p> : null
}
