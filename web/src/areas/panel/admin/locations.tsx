import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ArchivedCard,
  Button,
  type DataColumn,
  DataList,
  Empty,
  I,
  Page,
  Tag,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'
import type { ShopLocation } from './reads.ts'

/** Their kinds of fields make them larger than the list, so they are loaded when they are opened. */
const LocationDialog = lazy(async () => ({
  default: (await import('./location-dialog.tsx')).LocationDialog,
}))
const Surcharges = lazy(async () => ({ default: (await import('./surcharges.tsx')).Surcharges }))

/** The locations that buyers choose from. */
export function Locations() {
  const { locations: texts } = useAdminTexts()
  const { country, number } = useFormats()
  const mayWrite = useMay()('nodes:write')
  const maySell = useMay()('store:write')
  const [editing, edit] = useState<ShopLocation | 'new' | null>(null)
  const [priced, price] = useState<ShopLocation | null>(null)
  const list = useList(['locations', 'open'], (where, signal) =>
    client.GET('/v1/admin/locations', { params: { query: { ...where, limit: 50 } }, signal }),
  )
  const columns: readonly DataColumn<ShopLocation>[] = [
    {
      ...{ id: 'name', head: texts.name, value: ({ name }: ShopLocation) => name },
      cell: (it) =>
        mayWrite ? (
          <button
            type="button"
            className="rowlink"
            aria-label={texts.edit(it.name)}
            onClick={() => edit(it)}
          >
            {it.name}
          </button>
        ) : (
          it.name
        ),
    },
    {
      ...{ id: 'country', head: texts.country, small: 'sub' },
      value: (it) => country(it.country),
      cell: (it) => (it.city ? `${it.city}, ${country(it.country)}` : country(it.country)),
    },
    {
      ...{ id: 'places', head: texts.places, right: true, small: 'hide' },
      value: (it) => it.places.length,
      cell: (it) => number(it.places.length),
    },
    {
      ...{ id: 'hidden', head: texts.status, small: 'second' },
      value: (it) => (it.hidden ? texts.hidden : texts.offered),
      cell: (it) => (
        <Tag tone={it.hidden ? 'ended' : 'active'}>{it.hidden ? texts.hidden : texts.offered}</Tag>
      ),
    },
    ...(maySell ? [surchargesColumn(texts, price)] : []),
  ]
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
            {texts.add}
          </Button>
        ) : null
      }
    >
      <div className="stack">
        <DataList
          name="locations"
          caption={texts.title}
          list={list}
          columns={columns}
          empty={
            <Empty icon={I.MapPin} title={texts.none}>
              {texts.noneText}
            </Empty>
          }
        />
        <ArchivedLocations />
      </div>
      <Suspense>
        {editing ? (
          <LocationDialog location={editing === 'new' ? null : editing} close={() => edit(null)} />
        ) : null}
        {priced ? <Surcharges location={priced} close={() => price(null)} /> : null}
      </Suspense>
    </Page>
  )
}

/** A button for the surcharges of each location. */
function surchargesColumn(
  texts: ReturnType<typeof useAdminTexts>['locations'],
  open: (location: ShopLocation) => void,
): DataColumn<ShopLocation> {
  return {
    ...{ id: 'surcharges', head: texts.surcharges, right: true, small: 'second' },
    value: () => '',
    cell: (it) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.surchargesOf(it.name)}
        onClick={() => open(it)}
      >
        {texts.surcharges}
      </Button>
    ),
  }
}

/** The archived locations, each of which can be offered again; renders nothing if there are none. */
function ArchivedLocations() {
  const { locations: texts } = useAdminTexts()
  const mayWrite = useMay()('nodes:write')
  const list = useList(['locations', 'archived'], (where, signal) =>
    client.GET('/v1/admin/locations', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/locations/{id}/restore', { params: { path: { id } }, ...intent }),
    {
      changes: [['locations'], ['products']],
      done: ({ name }) => told(texts.restored(name)),
    },
  )
  return <ArchivedCard texts={texts} list={list} restore={mayWrite ? restore : null} />
}
