import { useQuery } from '@tanstack/react-query'
import { services } from '../../api/reads.ts'
import { useLocale, useTexts } from '../../texts/index.tsx'
import { Button, Notice, type Tone, useFormats } from '../../ui/index.ts'
import { type OwnIncident, ownIncidents } from './reads.ts'

/** Maintenance is shown this long before it begins. */
const AHEAD_MS = 7 * 86_400_000
/** The most incidents that are shown; the status page has all of them. */
const MOST = 3
/** The most servers that are named. */
const MOST_NAMES = 3
/** How often incidents are read again, in ms: not every update sends a notification. */
const EVERY_MS = 60_000

type BannerProps = {
  /** Shows only what affects this service, without its name. */
  readonly serviceId?: string
  /** Beside a form: links open in another tab, so that the form stays open. */
  readonly besideForm?: boolean
}

/** The incidents that affect the person's services now, and the maintenance of the next days. Nothing without one. */
export function IncidentBanner({ serviceId, besideForm = false }: BannerProps) {
  const found = useQuery({ ...ownIncidents, refetchInterval: EVERY_MS }).data?.data
  const shown = (found ?? [])
    .filter((it) => serviceId === undefined || it.serviceIds.includes(serviceId))
    .filter((it) => it.status !== 'scheduled' || Date.parse(it.startsAt) < Date.now() + AHEAD_MS)
    .slice(0, MOST)
  if (shown.length === 0) return null
  return (
    <div className="stack s12 banners">
      {shown.map((it) => (
        <Entry
          key={it.id}
          incident={it}
          isNamed={serviceId === undefined}
          besideForm={besideForm}
        />
      ))}
    </div>
  )
}

function toneOf({ kind, impact }: OwnIncident): Tone {
  if (kind === 'maintenance' || impact === 'none') return 'waiting'
  return impact === 'minor' ? 'attention' : 'failed'
}

type EntryProps = {
  readonly incident: OwnIncident
  readonly isNamed: boolean
  readonly besideForm: boolean
}

function Entry({ incident, isNamed, besideForm }: EntryProps) {
  const { incidents } = useTexts()
  const { moment } = useFormats()
  const locale = useLocale()
  const { id, kind, status, title, language, newest, startsAt, endsAt, updatedAt } = incident
  const titleOf =
    kind === 'incident'
      ? incidents.incident
      : status === 'scheduled'
        ? incidents.planned
        : incidents.maintenance
  return (
    <Notice
      tone={toneOf(incident)}
      title={<span lang={foreign(language, locale)}>{titleOf(title)}</span>}
      action={
        <Button
          component="a"
          href={`/status/${id}`}
          size="xs"
          variant="default"
          {...(besideForm && { target: '_blank' })}
        >
          {incidents.seeStatus}
        </Button>
      }
    >
      <p className="typed" lang={foreign(newest.language, locale)}>
        {newest.text.split(/\n{2,}/, 1)}
      </p>
      {isNamed ? <Names of={incident.serviceIds} /> : null}
      <p>
        {endsAt
          ? incidents.times(moment(startsAt), moment(endsAt))
          : `${incidents.statuses[status]} · ${moment(updatedAt)}`}
      </p>
    </Notice>
  )
}

/** The language of a text, if it is not that of the page. */
function foreign(language: string, locale: string): string | undefined {
  return language === locale ? undefined : language
}

/** The names of the affected servers, if the person has others, too. */
function Names({ of: ids }: { of: readonly string[] }) {
  const { incidents } = useTexts()
  const own = useQuery(services).data?.data ?? []
  const affected = own.filter(({ id }) => ids.includes(id)).slice(0, MOST_NAMES)
  if (own.length < 2 || affected.length === 0) return null
  const names = affected.map(({ name }) => name).join(', ')
  return <p>{incidents.affected(names, ids.length - affected.length)}</p>
}
