import type { ReactNode } from 'react'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Aligned to the right, for amounts. */
  readonly right?: boolean
  /** How the column is shown up to 960 px: hidden, at the right of the card, small below, or its checkbox. */
  readonly small?: 'hide' | 'second' | 'sub' | 'check'
  /** The head is only read out by screen readers, not shown. */
  readonly silent?: boolean
  /** Shown in place of the head, such as a checkbox for all rows. */
  readonly headCell?: ReactNode
}

type TableProps<Row> = {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  /** Each row has a link that fills it (`rowlink`). */
  readonly links?: boolean
}

const SMALL = { hide: 'sm-hide', second: 'sm-2', sub: 'sm-sub', check: 'sm-check' }

/** A real table; up to 960 px the same rows become cards. */
export function Table<Row>({ caption, rows, columns, rowKey, links = false }: TableProps<Row>) {
  return (
    <table className={links ? 'table cards links' : 'table cards'}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, right, silent, headCell }) => (
            <th key={head} scope="col" className={right ? 'r' : undefined}>
              {headCell ?? (silent ? <span className="sr">{head}</span> : head)}
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
