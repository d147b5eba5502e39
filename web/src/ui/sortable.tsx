import { type ReactNode, useState } from 'react'
import { answerOf } from '../api/client.ts'
import { useAdminTexts } from '../texts/admin.tsx'
import { useChange } from './change.ts'
import * as I from './icons.ts'

type Placed = { readonly id: string; readonly name: string; readonly position: number }
type Place = Pick<Placed, 'id' | 'position'>

type SortableProps<Row extends Placed> = {
  readonly rows: readonly Row[]
  readonly label: string
  /** Saves the position of a row. Without it, the order is read-only. */
  readonly place?:
    | ((place: Place) => Promise<{ data?: unknown; error?: unknown; response: Response }>)
    | null
  /** Keys of the queries that a new order invalidates. */
  readonly changes: readonly (readonly unknown[])[]
  readonly children: (row: Row) => ReactNode
}

/** A sortable list: by dragging, or with the arrow keys on the handle of a row. */
export function Sortable<Row extends Placed>(props: SortableProps<Row>) {
  const { label, place, changes, children } = props
  const texts = useAdminTexts().catalogue.products
  const [dragged, drag] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [spoken, speak] = useState('')
  const order = useChange(
    async ({ places }: { rows: readonly Row[]; places: readonly Place[] }) => {
      if (place) for (const it of places) await answerOf(place(it))
      return { data: null, response: new Response() }
    },
    { changes },
  )
  // Optimistic: the row moves at once, and back if saving fails.
  const rows = order.isPending ? order.variables.rows : props.rows
  const put = (from: number, to: number) => {
    const row = rows[from]
    if (!place || !row || from === to || to < 0 || to >= rows.length) return
    const others = rows.filter((_, index) => index !== from)
    const wanted = [...others.slice(0, to), row, ...others.slice(to)]
    const places = placesOf(wanted, to)
    const positions = new Map(places.map(({ id, position }) => [id, position]))
    order.mutate({
      rows: wanted.map((it) => ({ ...it, position: positions.get(it.id) ?? it.position })),
      places,
    })
    speak(texts.moved(row.name, to + 1, rows.length))
  }
  const at = (key: string | null) => rows.findIndex(({ id }) => id === key)
  return (
    <>
      <ol className="sortable" aria-label={label}>
        {rows.map((row, index) => {
          const key = row.id
          return (
            <li
              key={key}
              className={over === key && dragged !== key ? 'over' : undefined}
              onDragOver={(event) => {
                if (dragged === null) return
                event.preventDefault()
                setOver(key)
              }}
              onDrop={(event) => {
                event.preventDefault()
                put(at(dragged), index)
                drag(null)
                setOver(null)
              }}
            >
              {place ? (
                <button
                  type="button"
                  className="handle"
                  draggable
                  aria-label={texts.move(row.name)}
                  title={texts.moveHint}
                  onDragStart={({ dataTransfer }) => {
                    dataTransfer.effectAllowed = 'move'
                    dataTransfer.setData('text/plain', key)
                    drag(key)
                  }}
                  onDragEnd={() => {
                    drag(null)
                    setOver(null)
                  }}
                  onKeyDown={(event) => {
                    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                    if (!step) return
                    event.preventDefault()
                    put(index, index + step)
                  }}
                >
                  <I.GripVertical size={16} stroke={1.75} aria-hidden />
                </button>
              ) : null}
              {children(row)}
            </li>
          )
        })}
      </ol>
      <p className="sr" role="status">
        {spoken}
      </p>
    </>
  )
}

/** The gap between two positions, so that a moved row fits between its neighbours. */
const STEP = 10

/** The positions to save after a move: that of the moved row, or of all rows if there is no gap left. */
function placesOf(rows: readonly Placed[], moved: number): readonly Place[] {
  const lower = rows[moved - 1]?.position ?? -1
  const upper = rows[moved + 1]?.position ?? lower + 2 * STEP
  const middle = Math.floor((lower + upper) / 2)
  const places = rows.map(({ id }, index) => ({ id, position: (index + 1) * STEP }))
  return lower < middle && middle < upper
    ? places.slice(moved, moved + 1).map(({ id }) => ({ id, position: middle }))
    : places.filter(({ position }, index) => position !== rows[index]?.position)
}
