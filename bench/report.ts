import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Requests a second of one path, service and bare handler in turns. */
export type Measurement = { path: string; pairs: readonly { service: number; bare: number }[] }

type Conditions = { rounds: number; seconds: number; connections: number; quick: boolean }

type Row = { path: string; servicePerSecond: number; barePerSecond: number; ratio: number }

const root = path.join(import.meta.dirname, '..')
const PAGE = path.join(root, 'docs/performance.md')
const [BEGIN, END] = ['<!-- table: npm run bench -->', '<!-- end of table -->']

/** Prints the table; a full run also goes to bench/results/latest.json and docs/performance.md. */
export function report(measurements: readonly Measurement[], conditions: Conditions): void {
  const rows = measurements.map(rowOf)
  const table = tableOf(rows)
  console.log(table)
  if (conditions.quick) return
  const { rounds, seconds, connections } = conditions
  const result = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    cpu: `${os.availableParallelism()} × ${os.cpus()[0]?.model ?? 'unknown'}`,
    ...{ rounds, secondsEach: seconds, connections, rows, measurements },
  }
  fs.mkdirSync(path.join(root, 'bench/results'), { recursive: true })
  fs.writeFileSync(
    path.join(root, 'bench/results/latest.json'),
    `${JSON.stringify(result, null, 2)}\n`,
  )
  const page = fs.readFileSync(PAGE, 'utf8')
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]]
  fs.writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`)
}

function rowOf({ path, pairs }: Measurement): Row {
  return {
    path,
    servicePerSecond: Math.round(median(pairs.map(({ service }) => service))),
    barePerSecond: Math.round(median(pairs.map(({ bare }) => bare))),
    ratio: Number(median(pairs.map(({ service, bare }) => service / bare)).toFixed(2)),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

function tableOf(rows: readonly Row[]): string {
  const cells = [
    ['Request', 'Service, req/s', 'Bare, req/s', 'Ratio'],
    ...rows.map(({ path, servicePerSecond, barePerSecond, ratio }) => [
      ...[`\`GET ${path}\``, String(servicePerSecond), String(barePerSecond), ratio.toFixed(2)],
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  const lines = cells.map((row) => `| ${row.map(padded).join(' | ')} |`)
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')

  function padded(cell: string, column: number): string {
    const width = widths[column] ?? 0
    return column === 0 ? cell.padEnd(width) : cell.padStart(width)
  }
}
