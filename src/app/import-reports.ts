import { importTables, isImportTable, type TableOptions } from '#imports'
import { csvLine } from '#lib/csv.ts'
import { isId } from '#lib/id.ts'
import { notFound, Problem } from '#lib/problem.ts'
import { restoreClock } from '#platform/clock.ts'
import { shopAt } from './shop.ts'
import type { Place, Task } from './task.ts'

export const FORMATS = ['table', 'csv', 'json'] as const
export type Format = (typeof FORMATS)[number]

type Wanted = {
  readonly report: string
  readonly id: string
  readonly host: string | null
  readonly format: Format
  readonly options: TableOptions
}

type Cell = string | number | boolean | null
type Row = Readonly<Record<string, Cell>>

/** Prints a report on an import, such as the preview of its renewals, a batch of rows at a time. */
export const importReport: Task<Wanted> = {
  name: 'import-report',
  migrates: true,
  async run({ database, print, complain }, { report, id, host, format, options }) {
    try {
      if (!isId(id) || !isImportTable(report)) throw notFound('Import')
      const { tenantId } = await shopAt(database, host)
      const now = (await restoreClock(database)).now()
      const { columns, shown, batches } = importTables[report](
        database.of(tenantId),
        { tenantId, id },
        options,
        now,
      )
      await printers[format](print, format === 'table' ? shown : columns, batches)
      return 0
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      complain(error.message)
      return 2
    }
  },
}

type Printer = (
  print: Place['print'],
  columns: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
) => Promise<void>

const printers: Readonly<Record<Format, Printer>> = {
  async csv(print, columns, batches) {
    const line = (cells: readonly Cell[]) => csvLine(cells).trimEnd()
    // Before the heading, so that an import without this report prints only an error.
    for await (const rows of withFirst(batches)) {
      if (rows === null) print(line(columns))
      else for (const row of rows) print(line(cellsOf(row, columns)))
    }
  },

  /** One JSON array with a row on each line. */
  async json(print, columns, batches) {
    let waiting: string | null = null
    for await (const rows of withFirst(batches)) {
      if (rows === null) print('[')
      for (const row of rows ?? []) {
        if (waiting !== null) print(`${waiting},`)
        waiting = JSON.stringify(Object.fromEntries(columns.map((it) => [it, row[it] ?? null])))
      }
    }
    if (waiting !== null) print(waiting)
    print(']')
  },

  async table(print, columns, batches) {
    for await (const rows of withFirst(batches)) {
      if (rows === null) continue
      const lines = [
        columns,
        ...rows.map((row) => cellsOf(row, columns).map((it) => `${it ?? ''}`)),
      ]
      const widths = columns.map((_, place) =>
        Math.max(...lines.map((line) => line[place]?.length ?? 0)),
      )
      for (const line of lines) {
        print(
          line
            .map((cell, place) => cell.padEnd(widths[place] ?? 0))
            .join('  ')
            .trimEnd(),
        )
      }
    }
  },
}

/** The batches after a null, which is yielded once the first batch has been read. */
async function* withFirst(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[] | null> {
  let isFirst = true
  for await (const rows of batches) {
    if (isFirst) yield null
    isFirst = false
    yield rows
  }
  if (isFirst) yield null
}

function cellsOf(row: Row, columns: readonly string[]): Cell[] {
  return columns.map((column) => row[column] ?? null)
}
