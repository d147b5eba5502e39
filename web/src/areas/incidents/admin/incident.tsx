import { languageName, textFor } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { meta } from '../../../api/reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useLocale, useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  Facts,
  I,
  Loaded,
  Page,
  RemoveButton,
  Skeleton,
  Timeline,
  useFormats,
} from '../../../ui/index.ts'
import { useTimes } from '../../../ui/times.ts'
import { useAffectable, usePublicNames } from './affected.ts'
import {
  audience,
  type Incident,
  type IncidentUpdate,
  incident as incidentRead,
  LISTS,
  updates,
} from './reads.ts'
import { isOver, lookOf, StatusTag } from './status.tsx'
import { useTitleOf } from './title.ts'

const WriteUpdate = lazy(async () => ({ default: (await import('./write.tsx')).WriteUpdate }))
const EditDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).EditDialog }))

/** How often the updates are read again while customers are being notified, in ms. */
const NOTIFYING_MS = 2000

/** One incident or maintenance: its updates, the next one, and what it affects. */
export function AdminIncidentPage() {
  const { id } = useParams({ from: '/admin/incidents/$id' })
  return (
    <Loaded isScreen query={useQuery(incidentRead(id))}>
      {(it) => <Shown key={it.id} incident={it} />}
    </Loaded>
  )
}

type IncidentProps = { readonly incident: Incident }

function Shown({ incident }: IncidentProps) {
  const { incidents } = useAdminTexts()
  const mayWrite = useMay()('incidents:write')
  const title = useTitleOf()(incident)
  return (
    <Page
      wide
      title={title}
      head={
        <header className="page-head">
          <div className="grow least">
            <div className="row gap12 wrap">
              <h1 className="any">{title}</h1>
              <span role="status">
                <StatusTag status={incident.status} />
              </span>
            </div>
            <div className="sub">{incidents.kinds[incident.kind]}</div>
          </div>
          <Actions incident={incident} />
        </header>
      }
    >
      <div className="grid split">
        <div className="stack">
          {mayWrite ? (
            <Suspense fallback={<Skeleton height={320} />}>
              <WriteUpdate incident={incident} />
            </Suspense>
          ) : null}
          {incident.publishedAt ? <Updates incident={incident} /> : null}
        </div>
        <Details incident={incident} />
      </div>
    </Page>
  )
}

function Actions({ incident }: IncidentProps) {
  const { incidents } = useAdminTexts()
  const mayWrite = useMay()('incidents:write')
  const navigate = useNavigate()
  const [isEditing, edit] = useState(false)
  const { id, publishedAt } = incident
  return (
    <div className="actions">
      {publishedAt ? (
        <Button
          component="a"
          href={`/status/${id}`}
          target="_blank"
          variant="default"
          rightSection={<I.ArrowUpRight size={16} aria-hidden />}
        >
          {incidents.seePage}
        </Button>
      ) : null}
      {mayWrite && !publishedAt ? (
        <RemoveButton
          verb={incidents.remove}
          title={incidents.removeTitle}
          call={() => client.DELETE('/v1/admin/incidents/{id}', { params: { path: { id } } })}
          changes={LISTS}
          told={incidents.removed}
          done={() => void navigate({ to: '/admin/incidents' })}
        >
          {incidents.removeText}
        </RemoveButton>
      ) : null}
      {mayWrite && !isOver(incident) ? (
        <Button
          variant="default"
          leftSection={<I.Edit size={16} aria-hidden />}
          onClick={() => edit(true)}
        >
          {incidents.edit}
        </Button>
      ) : null}
      {isEditing ? (
        <Suspense>
          <EditDialog incident={incident} close={() => edit(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The timeline, and how many customers each update has reached. */
function Updates({ incident: { id } }: IncidentProps) {
  const { incidents } = useAdminTexts()
  const { statuses } = useTexts().incidents
  const { moment } = useFormats()
  const query = useQuery({
    ...updates(id),
    refetchInterval: ({ state }) =>
      state.data?.some((it) => it.isNotifying) ? NOTIFYING_MS : false,
  })
  return (
    <Card title={incidents.updates}>
      <Loaded query={query}>
        {(said) => (
          <Timeline
            entries={said.map((it) => ({
              ...{ key: it.id, ...lookOf(it.state), when: moment(it.createdAt) },
              what: (
                <>
                  <span className="strong">{statuses[it.state]}</span>
                  <Said update={it} />
                  <span className="sub block" role="status">
                    {reachOf(it)}
                  </span>
                </>
              ),
            }))}
          />
        )}
      </Loaded>
    </Card>
  )

  function reachOf({ notify, notified, isNotifying }: IncidentUpdate): string {
    if (!notify) return incidents.notNotified
    return isNotifying ? incidents.notifying(notified) : incidents.notified(notified)
  }
}

/** The text of an update in the language of the screen, and the other languages it is written in. */
function Said({ update: { texts } }: { update: IncidentUpdate }) {
  const { incidents } = useAdminTexts()
  const locale = useLocale()
  const shopLocale = useQuery(meta).data?.locale
  const [language, text] = textFor(texts, locale, shopLocale) ?? [locale, '']
  const others = Object.keys(texts).filter((it) => it !== language)
  return (
    <>
      <span className="typed block" lang={language}>
        {text}
      </span>
      {others.length > 0 ? (
        <span className="sub block">
          {incidents.alsoIn(others.map((it) => languageName(it)).join(', '))}
        </span>
      ) : null}
    </>
  )
}

/** What staff entered, and how the status page names what is affected. */
function Details({ incident }: IncidentProps) {
  const { incidents } = useAdminTexts()
  const { moment, number } = useFormats()
  const { utc } = useTimes()
  const customers = useQuery(audience(incident.id)).data?.customers
  const known = useAffectable()
  const publicNames = usePublicNames(incident)
  const { impact, startsAt, endsAt, publishedAt, resolvedAt, canceledAt, nodeIds } = incident
  const names = known.nodes.filter(({ id }) => nodeIds.includes(id)).map(({ name }) => name)
  const panels = names.length > 0 ? names.join(', ') : number(nodeIds.length)
  const ended = canceledAt ?? resolvedAt
  return (
    <Card title={incidents.details}>
      <div className="stack">
        <Facts
          rows={[
            [incidents.impact, incidents.impacts[impact]],
            [endsAt ? incidents.begins : incidents.began, moment(startsAt)],
            ...(endsAt ? [[incidents.ends, moment(endsAt)] as const] : []),
            ...(publishedAt ? [[incidents.publishedAt, moment(publishedAt)] as const] : []),
            ...(ended ? [[incidents.ended, moment(ended)] as const] : []),
            ...(nodeIds.length > 0 ? [[incidents.panels, panels] as const] : []),
            [incidents.customers, customers === undefined ? '–' : number(customers)],
          ]}
        />
        <p className="sub">{publicNames}</p>
        {endsAt ? <p className="sub">{incidents.publicTimes(utc(startsAt), utc(endsAt))}</p> : null}
      </div>
    </Card>
  )
}
