import type { components } from '@moorage/client'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  I,
  type Icon,
  Listed,
  SegmentedControl,
  Timeline,
  type Tone,
  useFormats,
} from '../../../ui/index.ts'
import { eventDetail, eventName } from '../../account/happened.ts'

type Entry = components['schemas']['TimelineEntry']
/** An entry of any timeline; those of objects name who did it. */
type Shown = Entry & { readonly actorName?: string | null }
type Group = 'all' | 'money' | 'servers' | 'messages' | 'security'

const GROUPS = ['all', 'money', 'servers', 'messages', 'security'] as const

/** The icon and the group of a kind of event: the first match. */
const LOOKS: readonly (readonly [RegExp, Icon, Tone, Group])[] = [
  [/disputed|failed|invoice-voided/, I.AlertTriangle, 'failed', 'money'],
  [/^services\.suspended|^users\.suspended/, I.AlertTriangle, 'attention', 'security'],
  [/^billing\.(invoice-paid|payment)|^orders\.(paid|fulfilled)/, I.CircleCheck, 'active', 'money'],
  [/^services\.activated/, I.Server2, 'active', 'servers'],
  [/^services/, I.Server2, 'ended', 'servers'],
  [/^(billing|orders|ledger|affiliation)/, I.FileInvoice, 'waiting', 'money'],
  [/^notifications/, I.Mail, 'ended', 'messages'],
  [/registered/, I.UserPlus, 'ended', 'security'],
  [/./, I.ShieldLock, 'ended', 'security'],
]

function lookOf({ kind }: Entry) {
  const [, icon = I.History, tone = 'ended', own = 'security'] =
    LOOKS.find(([kinds]) => kinds.test(kind)) ?? []
  const group: Group = kind.startsWith('services.') ? 'servers' : own
  return { icon, tone, group }
}

/** The timeline of a person, by day. */
export function PersonTimeline({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const [group, setGroup] = useState<Group>('all')
  const list = useList(['admin', 'people', userId, 'timeline'], (where, signal) =>
    client.GET('/v1/admin/users/{id}/timeline', {
      params: { path: { id: userId }, query: where },
      signal,
    }),
  )
  return (
    <Card
      title={people.timeline}
      right={
        <span className="sm-gone">
          <SegmentedControl
            aria-label={people.show}
            value={group}
            onChange={(value) => setGroup(GROUPS.find((it) => it === value) ?? 'all')}
            data={GROUPS.map((value) => ({ value, label: people.groups[value] }))}
          />
        </span>
      }
    >
      <Listed list={list} empty={<p className="dim">{people.timelineEmpty}</p>}>
        {(entries) => {
          const shown = entries.filter((it) => group === 'all' || lookOf(it).group === group)
          return <Days entries={shown} />
        }}
      </Listed>
    </Card>
  )
}

type About = 'services' | 'orders' | 'invoices'

/** The timeline of a service, an order or an invoice, by day: what happened, and who did it. */
export function ObjectTimeline({ about, id }: { about: About; id: string }) {
  const { people } = useAdminTexts()
  const list = useList(['admin', about, id, 'timeline'], (where, signal) => {
    const asked = { params: { path: { id }, query: where }, signal }
    if (about === 'services') return client.GET('/v1/admin/services/{id}/timeline', asked)
    if (about === 'orders') return client.GET('/v1/admin/orders/{id}/timeline', asked)
    return client.GET('/v1/admin/invoices/{id}/timeline', asked)
  })
  return (
    <Card title={people.timeline}>
      <Listed list={list} empty={<p className="dim">{people.timelineEmpty}</p>}>
        {(entries) => <Days entries={entries} />}
      </Listed>
    </Card>
  )
}

function Days({ entries }: { entries: readonly Shown[] }) {
  const { date, time } = useFormats()
  const days = Map.groupBy(entries, ({ at }) => date(at))
  return [...days].map(([day, own]) => (
    <section key={day} aria-label={day}>
      <h3 className="tl-day">{day}</h3>
      <Timeline
        entries={own.map((entry) => ({
          ...{ key: `${entry.kind} ${entry.id}`, when: time(entry.at) },
          ...lookOf(entry),
          what: <What entry={entry} />,
        }))}
      />
    </section>
  ))
}

/** The label of a kind of event; an unknown kind is shown by its name in the API. */
function What({ entry }: { entry: Shown }) {
  const { people } = useAdminTexts()
  const { money } = useFormats()
  const shown = eventDetail(entry, money)
  return (
    <>
      {eventName(entry, people.happened) ?? entry.kind}{' '}
      {shown ? <span className="dim any">{shown}</span> : null}
      {entry.actorName ? <span className="sub block">{entry.actorName}</span> : null}
    </>
  )
}
