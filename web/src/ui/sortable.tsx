import { type ReactNode, useState } from 'react'
import * as I from './icons.ts'

type SortableProps<Row> = {
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly label: string
  /** The label of the handle of a row. */
  readonly handle: (row: Row) => string
  readonly hint: string
  /** Announces the new position of a row. */
  readonly said: (row: Row, place: number, all: number) => string
  /** Without it, the order is read-only. */
  readonly move?: ((rows: readonly Row[]) => void) | undefined
  readonly children: (row: Row) => ReactNode
}

/** A sortable list: by dragging, or with the arrow keys on the handle of a row. */
export function Sortable<Row>(props: SortableProps<Row>) {
  const { rows, rowKey, label, handle, hint, said, move, children } = props
  const [dragged, drag] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [spoken, speak] = useState('')
  const put = (from: number, to: number) => {
    const row = rows[from]
    if (!move || !row || from === to || to < 0 || to >= rows.length) return
    const others = rows.filter((_, index) => index !== from)
    move([...others.slice(0, to), row, ...others.slice(to)])
    speak(said(row, to + 1, rows.length))
  }
  const at = (key: string | null) => rows.findIndex((row) => rowKey(row) === key)
  return (
    <>
      <ol className="sortable" aria-label={label}>
        {rows.map((row, index) => {
          const key = rowKey(row)
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
              {move ? (
                <button
                  type="button"
                  className="handle"
                  draggable
                  aria-label={handle(row)}
                  title={hint}
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
