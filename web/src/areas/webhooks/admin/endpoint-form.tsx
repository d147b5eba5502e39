import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Copy, Faulty, Once, Switch, TextInput, told } from '../../../ui/index.ts'
import type { Endpoint } from './reads.ts'

type Props = {
  readonly endpoint: Endpoint | null
  readonly done: (endpoint: Endpoint) => void
}

function fieldsOf(endpoint: Endpoint | null) {
  return {
    ...{ url: endpoint?.url ?? '', description: endpoint?.description ?? '' },
    events: (endpoint?.events ?? []).join(' '),
    ...{ ordered: endpoint?.ordered ?? false, enabled: endpoint?.enabled ?? true },
  }
}

/** The URL of an endpoint, and its events. */
export function EndpointForm({ endpoint, done }: Props) {
  const { integrations: texts } = useAdminTexts()
  const params = { path: { id: endpoint?.id ?? '' } }
  const form = useForm({
    name: `webhook:${endpoint?.id ?? 'new'}`,
    saved: fieldsOf(endpoint),
    call: ({ url, description, events, ordered, enabled }, intent) => {
      const named = events.split(/[\s,]+/).filter(Boolean)
      const body = {
        ...{ url: url.trim(), description: orNull(description), ordered },
        // The API defines the names of events; an unknown one is refused with an error at its field.
        events: (named.length > 0 ? named : null) as never,
      }
      return endpoint
        ? client.PATCH('/v1/admin/webhook-endpoints/{id}', {
            params,
            body: { ...body, enabled },
            ...intent,
          })
        : client.POST('/v1/admin/webhook-endpoints', { body, ...intent })
    },
    edits: endpoint && {
      ...{ read: () => client.GET('/v1/admin/webhook-endpoints/{id}', { params }), fieldsOf },
    },
    changes: [['webhooks']],
    done: (saved) => {
      told(texts.saved)
      done(saved)
    },
  })
  const { text, flag } = form
  return (
    <form className="stack form-width" onSubmit={form.submit}>
      <Faulty fault={form.fault} />
      <TextInput
        {...text('url')}
        label={texts.url}
        description={texts.urlHint}
        inputMode="url"
        required
        autoComplete="off"
      />
      <TextInput {...text('description')} label={texts.description} autoComplete="off" />
      <TextInput
        {...text('events')}
        label={texts.events}
        description={texts.eventsHint}
        placeholder={texts.allEvents}
        autoComplete="off"
      />
      <Switch {...flag('ordered')} label={texts.ordered} description={texts.orderedHint} />
      {endpoint ? <Switch {...flag('enabled')} label={texts.enabled} /> : null}
      <div className="row">
        <Button type="submit" loading={form.isSaving}>
          {texts.create}
        </Button>
      </div>
    </form>
  )
}

type SecretProps = { readonly secret: string | null; readonly close: () => void }

/** A secret that is shown only once. */
export function SecretOnce({ secret, close }: SecretProps) {
  const { integrations: texts } = useAdminTexts()
  return (
    <Once title={texts.secretTitle} opened={secret !== null} close={close}>
      <p className="dim">{texts.secretOnce}</p>
      <Copy big value={secret ?? ''} label={texts.secret} />
      <div className="row ends">
        <Button onClick={close}>{texts.done}</Button>
      </div>
    </Once>
  )
}
