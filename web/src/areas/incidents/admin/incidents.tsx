import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  useChoice,
  useFormats,
} from '../../../ui/index.ts'
import { type Incident, listKey } from './reads.ts'
import { StatusTag } from './status.tsx'
import { useTitleOf } from './title.ts'

/** Its kinds of fields make it larger than the list, so it is loaded when it is opened. */
const NewDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).NewDialog }))

const KINDS = ['incident', 'maintenance'] as const

/** Incidents and maintenance: what goes on, what is planned, drafts, and what is over. */
export function AdminIncidents() {
  const { incidents } = useAdminTexts()
  const mayWrite = useMay()('incidents:write')
  const [adding, add] = useState<Incident['kind'] | null>(null)
  const show = useChoice('show', incidents.show, ['open', 'draft', 'over'], incidents.shows)
  const kind = useChoice('kind', incidents.kind, KINDS, incidents.kinds)
  const query = { ...show.query, ...kind.query }
  const list = useList<Incident>(listKey(query), (where, signal) =>
    client.GET('/v1/admin/incidents', { params: { query: { ...where, ...query } }, signal }),
  )
  const buttons = mayWrite ? (
    <>
      <Button variant="default" onClick={() => add('maintenance')}>
        {incidents.add.maintenance}
      </Button>
      <Button
        leftSection={<I.AlertTriangle size={16} aria-hidden />}
        onClick={() => add('incident')}
      >
        {incidents.add.incident}
      </Button>
    </>
  ) : null
  return (
    <Page wide title={incidents.list} sub={incidents.sub} actions={buttons}>
      <DataList
        name="incidents"
        views="incidents"
        caption={incidents.list}
        list={list}
        columns={useColumns()}
        filters={
          <>
            {show.filter}
            {kind.filter}
          </>
        }
        empty={
          <Empty icon={I.CircleCheck} title={incidents.none}>
            {incidents.noneText}
          </Empty>
        }
      />
      {adding ? (
        <Suspense>
          <NewDialog kind={adding} close={() => add(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

function useColumns(): readonly DataColumn<Incident>[] {
  const { incidents } = useAdminTexts()
  const { statuses } = useTexts().incidents
  const { moment } = useFormats()
  const titleOf = useTitleOf()
  return [
    {
      ...{ id: 'title', head: incidents.title, value: titleOf },
      cell: (it) => (
        <Link to="/admin/incidents/$id" params={{ id: it.id }} className="rowlink cut block">
          {titleOf(it)}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: incidents.state, small: 'second' },
      value: ({ status }) => statuses[status],
      cell: ({ status }) => <StatusTag status={status} />,
    },
    {
      ...{ id: 'kind', head: incidents.kind, small: 'sub' },
      value: ({ kind }) => incidents.kinds[kind],
      cell: ({ kind }) => incidents.kinds[kind],
    },
    {
      ...{ id: 'impact', head: incidents.impact, small: 'hide' },
      value: ({ impact }) => incidents.impacts[impact],
      cell: ({ impact }) => incidents.impacts[impact],
    },
    {
      ...{ id: 'begins', head: incidents.begins, small: 'second' },
      value: ({ startsAt }) => startsAt,
      cell: ({ startsAt }) => <span className="num">{moment(startsAt)}</span>,
    },
    {
      ...{ id: 'ends', head: incidents.ended, small: 'hide' },
      value: (it) => endOf(it),
      cell: (it) => {
        const end = endOf(it)
        return <span className="num">{end ? moment(end) : '–'}</span>
      },
    },
  ]
}

/** When it ended, or is planned to. */
function endOf({ resolvedAt, canceledAt, endsAt }: Incident): string | null {
  return canceledAt ?? resolvedAt ?? endsAt
}
