import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Intent } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Checkbox,
  Confirm,
  Faulty,
  Notice,
  Select,
  Switch,
  told,
} from '../../../ui/index.ts'
import { byLocale, isBlank, LanguageFields, written } from './fields.tsx'
import { audience, CHANGES, type Incident } from './reads.ts'
import { isOver } from './status.tsx'

/** Maintenance that begins sooner is urgent, in ms. */
const DAY_MS = 86_400_000

const FIRST_STATES = ['investigating', 'identified', 'monitoring'] as const
const INCIDENT_STATES = [...FIRST_STATES, 'resolved'] as const
const LAST_STATES = ['completed', 'canceled'] as const

/** The name of the draft of the next update: what was typed stays if someone else publishes or ends it meanwhile. */
export const draftOf = (id: string) => `incident-update:${id}`

/** The fields of an update that publishes an incident. */
export const NOTHING_SAID = { texts: byLocale(), state: '', notify: true, urgent: false }

type Fields = typeof NOTHING_SAID

function send({ id, kind, publishedAt }: Incident, fields: Fields, intent: Intent) {
  const { state, notify, urgent } = fields
  const params = { path: { id } }
  const texts = written(fields.texts)
  const among = <S extends string>(states: readonly S[]) => {
    const found = states.find((it) => it === state)
    return found ? { state: found } : {}
  }
  const isIncident = kind === 'incident'
  const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> = publishedAt
    ? client.POST('/v1/admin/incidents/{id}/updates', {
        params,
        body: { texts, notify, ...(isIncident ? among(INCIDENT_STATES) : among(LAST_STATES)) },
        ...intent,
      })
    : client.POST('/v1/admin/incidents/{id}/publish', {
        params,
        body: {
          ...{ texts, notify },
          ...(isIncident && among(FIRST_STATES)),
          ...(urgent && { urgent: true }),
        },
        ...intent,
      })
  return answer
}

/** The form of the next update; the first one publishes. Nothing once it is over, unless a text is not sent. */
export function WriteUpdate({ incident }: { incident: Incident }) {
  const { incidents } = useAdminTexts()
  const [isAsking, ask] = useState(false)
  const isDraft = incident.publishedAt === null
  const customers = useQuery(audience(incident.id)).data?.customers
  const form = useForm({
    ...{ name: draftOf(incident.id), saved: { ...NOTHING_SAID, notify: isDraft } },
    call: (fields, intent) => send(incident, fields, intent),
    ...{ edits: null, changes: CHANGES },
    done: () => {
      form.reset()
      told(isDraft ? incidents.published : incidents.updated)
    },
  })
  const { fields } = form
  if (isOver(incident)) {
    return form.isChanged && !isBlank(fields.texts) ? (
      <Unsent texts={Object.values(written(fields.texts))} discard={form.reset} />
    ) : null
  }
  const verb = isDraft ? incidents.publish : incidents.addUpdate
  const isUrgent =
    isDraft &&
    incident.kind === 'maintenance' &&
    Date.parse(incident.startsAt) < Date.now() + DAY_MS
  const isIncomplete = isBlank(fields.texts) || (isUrgent && !fields.urgent)
  const reached = customers === undefined ? '' : incidents.reaches(customers)
  return (
    <Card title={isDraft ? incidents.publishTitle : incidents.updateTitle}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isIncomplete) ask(true)
        }}
      >
        <Faulty fault={form.fault} />
        <p className="dim">{isDraft ? incidents.publishHint : incidents.updateHint}</p>
        <LanguageFields
          parts={[
            {
              ...{ name: 'texts', label: incidents.text, value: fields.texts, isLong: true },
              change: (texts) => form.set({ texts }),
            },
          ]}
        />
        <StateField incident={incident} {...form.choice('state')} />
        {isUrgent ? (
          <Checkbox
            {...form.flag('urgent')}
            label={incidents.urgent}
            description={incidents.urgentHint}
          />
        ) : null}
        <Switch {...form.flag('notify')} label={incidents.notify} description={reached} />
        <div className="row ends">
          <Button type="submit" disabled={isIncomplete} loading={form.isSaving}>
            {verb}
          </Button>
        </div>
      </form>
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={isDraft ? incidents.publishAsk : incidents.updateAsk}
        action={verb}
        run={() => {
          ask(false)
          form.save()
        }}
        isRunning={form.isSaving}
      >
        <p>{incidents.isPublic}</p>
        <p>{fields.notify ? reached : incidents.notNotified}</p>
        {isLast(fields.state) ? <p>{incidents.isLast}</p> : null}
      </Confirm>
    </Card>
  )
}

function isLast(state: string): boolean {
  return state === 'resolved' || LAST_STATES.some((it) => it === state)
}

type StateProps = {
  readonly incident: Incident
  readonly name: string
  readonly value: string | null
  readonly error: string | undefined
  readonly onChange: (value: string | null) => void
}

/** The status that the update gives; for maintenance, whose times decide, only how it ends. */
function StateField({ incident: { kind, status, publishedAt }, value, ...props }: StateProps) {
  const { incidents } = useAdminTexts()
  const { statuses } = useTexts().incidents
  if (kind === 'maintenance' && !publishedAt) return null
  const current = publishedAt ? status : 'investigating'
  const states =
    kind === 'maintenance' ? [status, ...LAST_STATES] : publishedAt ? INCIDENT_STATES : FIRST_STATES
  return (
    <Select
      {...props}
      label={incidents.state}
      description={kind === 'maintenance' ? incidents.maintenanceState : incidents.incidentState}
      allowDeselect={false}
      value={value ?? current}
      data={states.map((it) => ({ value: it, label: statuses[it] }))}
    />
  )
}

/** An update that was not sent before someone else ended the incident: its text can still be copied. */
function Unsent({ texts, discard }: { texts: readonly string[]; discard: () => void }) {
  const { incidents } = useAdminTexts()
  const { lists } = useAdminTexts()
  return (
    <Card title={incidents.updateTitle}>
      <div className="stack">
        <Notice tone="attention" title={incidents.endedMeanwhile}>
          {incidents.endedMeanwhileText}
        </Notice>
        {texts.map((it) => (
          <p key={it} className="typed">
            {it}
          </p>
        ))}
        <div className="row ends">
          <Button variant="default" onClick={discard}>
            {lists.discard}
          </Button>
        </div>
      </div>
    </Card>
  )
}
