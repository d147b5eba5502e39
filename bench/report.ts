import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Requests a second of one path, service and bare handler in turns. */
export type Measurement = { path: string; pairs: readonly { service: number; bare: number }[] }

type Conditions = { rounds: number; seconds: number; connections: number; quick: boolean }

type Row = { path: string; servicePerSecond: number; barePerSecond: number; ratio: number }

const root = path.join(import.meta.dirname, '..')
const PAGE = path.join(root, 'docs/performance.md')
const RESULTS = path.join(root, 'bench/results')
const END = '<!-- end of table -->'

/** What the renewal run took, and the single statement that writes the same; memory in megabytes. */
export type RenewalFigures = {
  count: number
  runSeconds: number
  floorSeconds: number
  memory: readonly number[]
}

/** How long one dump took, and the most memory that importing it did, in megabytes. */
export type ImportRound = {
  loadSeconds: number
  parseSeconds: number
  dryRunSeconds: number
  importSeconds: number
  memory: number
}

/** Prints the table; a full run also goes to bench/results/latest.json and docs/performance.md. */
export function report(measurements: readonly Measurement[], conditions: Conditions): void {
  const rows = measurements.map(rowOf)
  const table = tableOf(rows)
  console.log(table)
  if (conditions.quick) return
  const { rounds, seconds, connections } = conditions
  const found = { rounds, secondsEach: seconds, connections, rows, measurements }
  keep('latest', { ...machine(), ...found })
  show('npm run bench', table)
}

/** The same for the renewal run. */
export function reportRenewals(figures: RenewalFigures, { quick }: { quick: boolean }): void {
  const { count, runSeconds, floorSeconds, memory } = figures
  const table = aligned([
    ['Services', 'Run, s', 'One statement, s', 'Ratio', 'Memory, first to last tenth, MB'],
    [
      ...[String(count), runSeconds.toFixed(1), floorSeconds.toFixed(1)],
      ...[(runSeconds / floorSeconds).toFixed(2), `${memory[1]} to ${memory.at(-1)}`],
    ],
  ])
  console.log(table)
  if (quick) return
  keep('renewals', { ...machine(), ...figures })
  show('npm run bench, renewals', table)
}

/** The same for imports: how many times as long as MariaDB takes to load the dump is in brackets. */
export function reportImports(
  { megabytes, rounds }: { megabytes: number; rounds: readonly ImportRound[] },
  { quick }: { quick: boolean },
): void {
  const load = median(rounds.map(({ loadSeconds }) => loadSeconds))
  const steps = (['parseSeconds', 'dryRunSeconds', 'importSeconds'] as const).map((step) => {
    const seconds = median(rounds.map((it) => it[step]))
    return `${seconds.toFixed(1)} (${median(rounds.map((it) => it[step] / it.loadSeconds)).toFixed(2)})`
  })
  const memory = Math.max(...rounds.map((it) => it.memory))
  const table = aligned([
    ['Dump, MB', 'MariaDB, s', 'Parsing, s', 'Dry run, s', 'Import, s', 'Memory, MB'],
    [megabytes.toFixed(0), load.toFixed(1), ...steps, String(memory)],
  ])
  console.log(table)
  if (quick) return
  keep('imports', { ...machine(), megabytes, rounds })
  show('npm run bench, imports', table)
}

function machine() {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    cpu: `${os.availableParallelism()} × ${os.cpus()[0]?.model ?? 'unknown'}`,
  }
}

function keep(name: string, result: object): void {
  fs.mkdirSync(RESULTS, { recursive: true })
  fs.writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

/** Puts a table in its place on the page. */
function show(name: string, table: string): void {
  const begin = `<!-- table: ${name} -->`
  const page = fs.readFileSync(PAGE, 'utf8')
  const start = page.indexOf(begin)
  const end = page.indexOf(END, start)
  if (start < 0 || end < 0) throw new Error(`${PAGE} has no place for ${begin}`)
  fs.writeFileSync(PAGE, `${page.slice(0, start)}${begin}\n\n${table}\n\n${page.slice(end)}`)
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
  return aligned([
    ['Request', 'Service, req/s', 'Bare, req/s', 'Ratio'],
    ...rows.map(({ path, servicePerSecond, barePerSecond, ratio }) => [
      ...[`\`GET ${path}\``, String(servicePerSecond), String(barePerSecond), ratio.toFixed(2)],
    ]),
  ])
}

/** A table of Markdown: the first row is its head, the first column is text, the others are numbers. */
function aligned(cells: readonly string[][]): string {
  const widths = (cells[0] ?? []).map((_, column) =>
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
