import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Card,
  type Column,
  Facts,
  Loaded,
  Meter,
  Table,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import { room } from './reads.ts'

type PanelRoom = components['schemas']['PanelRoom']
type Space = PanelRoom['machines'][number]['memory']
type Place = Pick<PanelRoom['machines'][number], 'name' | 'memory' | 'disk' | 'freePorts' | 'fits'>

/** The machines of a panel and its locations, with the free capacity of each. */
export function Room({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const texts = panels.room
  return (
    <Card title={texts.title} flush>
      <Loaded query={useQuery(room(nodeId))}>
        {({ machines, locations, smallest }) => (
          <>
            {machines.length === 0 ? (
              <p className="sub pad">{texts.none}</p>
            ) : (
              <Machines {...{ machines, locations, smallest }} />
            )}
            {locations.length > 0 ? <Locations {...{ locations, smallest }} /> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** The free capacity of each machine of a panel, a line each, for a dialog in which a panel is chosen. */
export function RoomLines({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const texts = panels.room
  const { number } = useFormats()
  const free = useFree()
  return (
    <Loaded query={useQuery(room(nodeId))} waiting="…">
      {({ machines }) =>
        machines.length === 0 ? (
          <p className="sub">{texts.none}</p>
        ) : (
          <Facts
            rows={machines.map(({ name, memory, disk, freePorts }) => [
              name,
              [
                texts.line(texts.memory, free(memory)),
                texts.line(texts.disk, free(disk)),
                texts.line(texts.ports, number(freePorts)),
              ].join(' · '),
            ])}
          />
        )
      }
    </Loaded>
  )
}

function Machines({ machines, locations, smallest }: PanelRoom) {
  const { panels } = useAdminTexts()
  const texts = panels.room
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  return (
    <Table
      caption={texts.machines}
      rows={machines}
      rowKey={({ id }) => String(id)}
      columns={useColumns<PanelRoom['machines'][number]>(panels.machine, smallest, (it) => (
        <>
          {it.name}
          {it.maintenance ? <Tag tone="attention">{texts.maintenance}</Tag> : null}
          {it.public ? null : <Tag tone="ended">{texts.private}</Tag>}
          <span className="sub block">
            {it.locationIds.flatMap((id) => names.get(id) ?? []).join(', ')}
          </span>
        </>
      ))}
    />
  )
}

function Locations({ locations, smallest }: Pick<PanelRoom, 'locations' | 'smallest'>) {
  const { panels } = useAdminTexts()
  const texts = panels.room
  return (
    <Table
      caption={texts.locations}
      rows={locations}
      rowKey={({ id }) => id}
      columns={useColumns<PanelRoom['locations'][number]>(texts.location, smallest, (it) => (
        <>
          {it.name}
          <span className="sub block">{texts.machinesOf(it.machines)}</span>
        </>
      ))}
    />
  )
}

/** The columns of a machine or a location. On a phone, all amounts are below its name. */
function useColumns<Row extends Place>(
  head: string,
  smallest: PanelRoom['smallest'],
  name: Column<Row>['cell'],
): readonly Column<Row>[] {
  const { panels } = useAdminTexts()
  const texts = panels.room
  const { number } = useFormats()
  const free = useFree()
  const fits = texts.fits(smallest?.name ?? '')
  const fitting: Column<Row> = {
    ...{ head: fits, right: true, small: 'hide' },
    cell: (it) => number(it.fits ?? 0),
  }
  return [
    {
      head,
      cell: (it) => (
        <div className="tall">
          {name(it)}
          <div className="sm-only sub">
            <div>{texts.line(texts.memory, free(it.memory))}</div>
            <div>{texts.line(texts.disk, free(it.disk))}</div>
            <div>{texts.line(texts.ports, number(it.freePorts))}</div>
            {smallest ? <div>{texts.line(fits, number(it.fits ?? 0))}</div> : null}
          </div>
        </div>
      ),
    },
    {
      ...{ head: texts.memory, small: 'hide' },
      cell: (it) => <Free name={it.name} what={texts.memory} space={it.memory} />,
    },
    {
      ...{ head: texts.disk, small: 'hide' },
      cell: (it) => <Free name={it.name} what={texts.disk} space={it.disk} />,
    },
    {
      ...{ head: texts.ports, right: true, small: 'hide' },
      cell: ({ freePorts }) => number(freePorts),
    },
    ...(smallest ? [fitting] : []),
  ]
}

function Free({ name, what, space }: { name: string; what: string; space: Space }) {
  const { panels } = useAdminTexts()
  const free = useFree()
  const { totalMb, freeMb } = space
  if (totalMb === null || freeMb === null) return free(space)
  const used = totalMb > 0 ? (totalMb - freeMb) / totalMb : 1
  return (
    <div className="tall">
      {free(space)}
      <Meter ratio={used} label={panels.room.used(what, name)} />
    </div>
  )
}

/** The free amount of a size, in words. */
function useFree(): (space: Space) => string {
  const { panels } = useAdminTexts()
  const { megabytes } = useFormats()
  return ({ totalMb, freeMb }) =>
    totalMb === null || freeMb === null
      ? panels.room.unlimited
      : panels.room.free(megabytes(freeMb), megabytes(totalMb))
}
