import type { ReactNode } from 'react'
import * as I from './icons.ts'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Amounts stand at the right. */
  readonly right?: boolean
  /** What becomes of the column under 760 px: hidden, at the right of the card, or small below. */
  readonly small?: 'hide' | 'second' | 'sub'
  /** The head is read out and not shown. */
  readonly silent?: boolean
  /** The sort order by this column; its header is then a button. */
  readonly sorted?: 'ascending' | 'descending' | 'none'
  readonly onSort?: () => void
}

type TableProps<Row> = {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Each row has a link that fills it (`rowlink`). */
  readonly links?: boolean
}

const SMALL = { hide: 'sm-hide', second: 'sm-2', sub: 'sm-sub' }

/** A real table; under 760 px the same rows become cards. */
export function Table<Row>({ caption, rows, columns, rowKey, links = false }: TableProps<Row>) {
  return (
    <table className={links ? 'table cards links' : 'table cards'}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, right, silent, sorted, onSort }) => (
            <th
              key={head}
              scope="col"
              className={right ? 'r' : undefined}
              {...(sorted && { 'aria-sort': sorted })}
            >
              {onSort ? (
                <button type="button" className="sort" onClick={onSort}>
                  {head}
                  {sorted === 'none' ? null : <Arrow isUp={sorted === 'ascending'} />}
                </button>
              ) : silent ? (
                <span className="sr">{head}</span>
              ) : (
                head
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ head, cell, right, small }) => (
              <td
                key={head}
                className={[right ? 'r' : '', small ? SMALL[small] : ''].join(' ').trim()}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Arrow({ isUp }: { isUp: boolean }) {
  const Art = isUp ? I.ArrowUp : I.ArrowDown
  return <Art size={13} stroke={2} aria-hidden />
}
