import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CONNECTIONS, type Load, median, root } from './ground.ts'
import type { Paint } from './paint.ts'

/** One path under load, service and bare handler in turns. */
export type Measurement = { path: string; rounds: readonly { service: Load; bare: Load }[] }

/** The same with the limit of one process. */
export type LimitMeasurement = {
  path: string
  rounds: readonly { service: Load; bare: Load; limit: Load }[]
}

type Conditions = { rounds: number; seconds: number; quick: boolean }

const PAGE = path.join(root, 'docs/performance.md')
export const SCALE_PAGE = path.join(root, 'docs/scale.md')
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

/** Prints the table; a full run also goes to bench/results and docs/performance.md. */
export function reportLimit(
  measurements: readonly LimitMeasurement[],
  { rounds, seconds, quick }: Conditions,
): void {
  const rows = measurements.map((it) => ({
    ...rowOf(it),
    limit: typical(it.rounds.map(({ limit }) => limit)),
    limitRatio: ratioOf(it.rounds.map(({ service, limit }) => [service, limit])),
  }))
  const table = aligned([
    [
      ...['Request', 'Service, req/s', 'Bare, req/s', 'Limit, req/s'],
      ...['Of bare', 'Of limit', 'p99, ms', 'CPU, µs'],
    ],
    ...rows.map(({ path, ratio, limitRatio, service, bare, limit }) => [
      ...[`\`GET ${path}\``, String(service.perSecond), String(bare.perSecond)],
      ...[String(limit.perSecond), ratio.toFixed(2), limitRatio.toFixed(2)],
      [service, bare, limit].map(({ p99Ms }) => p99Ms).join(' / '),
      [service, bare, limit].map(({ processorMicros }) => processorMicros).join(' / '),
    ]),
  ])
  console.log(table)
  if (quick) return
  const found = { rounds, secondsEach: seconds, connections: CONNECTIONS, rows, measurements }
  keep('limit', { ...machine(), ...found })
  show('npm run bench -- limit', table)
}

/** The same for pages, beside `node:http` that sends them from memory, and how soon they are seen. */
export function reportPages(
  measurements: readonly Measurement[],
  paints: readonly Paint[],
  { rounds, seconds, quick }: Conditions,
): void {
  const rows = measurements.map(rowOf)
  const table = aligned([
    ['Request', 'Service, req/s', 'Memory, req/s', 'Ratio', 'p99, ms', 'CPU, µs'],
    ...rows.map(({ path, ratio, service, bare }) => [
      ...[`\`GET ${path}\``, String(service.perSecond), String(bare.perSecond), ratio.toFixed(2)],
      ...[
        `${service.p99Ms} / ${bare.p99Ms}`,
        `${service.processorMicros} / ${bare.processorMicros}`,
      ],
    ]),
  ])
  const seen = aligned([
    ['Page', 'Largest contentful paint, ms'],
    ...paints.map(({ path, largestPaintMs }) => [
      `\`${path.replace(/[0-9a-f-]{36}/, ':id')}\``,
      String(largestPaintMs),
    ]),
  ])
  console.log(`${table}\n\n${seen}`)
  if (quick) return
  const found = { rounds, secondsEach: seconds, connections: CONNECTIONS, rows, measurements }
  keep('pages', { ...machine(), ...found, paints })
  show('npm run bench -- pages', table)
  show('npm run bench -- pages, paint', seen)
}

type Intake = { readonly service: Load; readonly insertsPerSecond: number }
type IntakeFigures = {
  readonly rounds: readonly Intake[]
  readonly sustained: Intake & { readonly seconds: number }
  /** How many messages were answered in the whole run, all of which are there. */
  readonly kept: number
  readonly secondsEach: number
  readonly connections: number
}

/** The same for messages of payment providers. */
export function reportIntake(figures: IntakeFigures, { quick }: { quick: boolean }): void {
  const { rounds, sustained, kept } = figures
  const service = typical(rounds.map((it) => it.service))
  const whole = typical([sustained.service])
  const insertsPerSecond = Math.round(median(rounds.map((it) => it.insertsPerSecond)))
  const ratio = rounded(median(rounds.map((it) => it.service.perSecond / it.insertsPerSecond)))
  const table = aligned([
    ['Messages', 'Service, 1/s', 'Inserts, 1/s', 'Ratio', 'p99, ms', 'CPU, µs'],
    [
      ...['Stripe, signed', String(service.perSecond), String(insertsPerSecond), ratio.toFixed(2)],
      ...[String(service.p99Ms), String(service.processorMicros)],
    ],
    [
      ...[`${sustained.seconds} s without a pause`, String(whole.perSecond)],
      String(Math.round(sustained.insertsPerSecond)),
      (sustained.service.perSecond / sustained.insertsPerSecond).toFixed(2),
      ...[String(whole.p99Ms), String(whole.processorMicros)],
    ],
  ])
  console.log(`${table}\n\n${kept} messages answered, all kept`)
  if (quick) return
  keep('intake', { ...machine(), service, insertsPerSecond, ratio, ...figures })
  show('npm run bench -- intake', table)
}

/** Purchases from their payment on: when servers were there, and when nothing was left to do. */
export type Pipeline = {
  readonly activePerSecond: number
  readonly donePerSecond: number
  /** From the payment on the provider's page to the active service. */
  readonly medianMs: number
  readonly p99Ms: number
  /** What the service's process spends on a purchase. */
  readonly processorMs: number | null
}

type PipelineFigures = {
  readonly customers: number
  /** How many there were in the whole run, each of them whole. */
  readonly orders: number
  readonly rounds: readonly { readonly service: Pipeline; readonly insertsPerSecond: number }[]
  /** What a purchase writes. */
  readonly rows: readonly { readonly table: string; readonly rows: number }[]
}

/** The same for purchases, from the payment to the server. */
export function reportPipeline(figures: PipelineFigures, { quick }: { quick: boolean }): void {
  const { customers, orders, rounds, rows } = figures
  const typicalOf = (pick: (service: Pipeline) => number) =>
    median(rounds.map(({ service }) => pick(service)))
  const inserts = median(rounds.map((it) => it.insertsPerSecond))
  const ratio = median(rounds.map((it) => it.service.donePerSecond / it.insertsPerSecond))
  const spent = rounds.flatMap(({ service }) => service.processorMs ?? [])
  const speed = aligned([
    [
      ...['Paid at once', 'Active, 1/s', 'Done, 1/s', 'Inserts, 1/s', 'Ratio'],
      ...['Median, ms', 'p99, ms', 'CPU, ms'],
    ],
    [
      ...[String(customers), typicalOf((it) => it.activePerSecond).toFixed(1)],
      ...[typicalOf((it) => it.donePerSecond).toFixed(1), inserts.toFixed(1), ratio.toFixed(3)],
      ...[typicalOf((it) => it.medianMs).toFixed(0), typicalOf((it) => it.p99Ms).toFixed(0)],
      spent.length > 0 ? median(spent).toFixed(1) : 'unknown',
    ],
  ])
  const all = rows.reduce((sum, it) => sum + it.rows, 0)
  const each = aligned([
    ['Table', 'Rows of a purchase'],
    ...rows.map((it) => [`\`${it.table}\``, String(it.rows)]),
    ['All', String(all)],
  ])
  const whatItSays = `${speed}\n\n${each}`
  console.log(`${whatItSays}\n\n${orders} orders, each with one charge, server and active service`)
  if (quick) return
  keep('pipeline', { ...machine(), ratio, ...figures })
  show('npm run bench -- pipeline', whatItSays)
}

/** A start: when the first answer was there, and what the process had spent until then. */
export type Start = { readonly firstAnswerMs: number; readonly processorMs: number | null }

type StartFigures = {
  readonly starts: readonly Start[]
  readonly restMb: number
  readonly loadMb: number
}

/** The same for a start, and for memory. */
export function reportStart(figures: StartFigures, { quick }: { quick: boolean }): void {
  const { starts, restMb, loadMb } = figures
  const times = starts.map(({ firstAnswerMs }) => firstAnswerMs)
  const spent = starts.flatMap(({ processorMs }) => processorMs ?? [])
  const head = [
    'First answer, ms',
    'Fastest, ms',
    'CPU, ms',
    'Memory at rest, MB',
    'Under load, MB',
  ]
  const table = aligned([
    ['Process', ...head],
    [
      ...['Everything in one', String(median(times)), String(Math.min(...times))],
      ...[String(median(spent)), String(restMb), String(loadMb)],
    ],
  ])
  console.log(table)
  if (quick) return
  keep('start', { ...machine(), ...figures })
  show('npm run bench -- start', table)
}

type EmbeddedFigures = { starts: readonly Start[]; restMb: number; peakMb: number }

/** First starts on the embedded database, and the memory after a day and at most during it. */
export function reportEmbedded(figures: EmbeddedFigures, { quick }: { quick: boolean }): void {
  const { starts, restMb, peakMb } = figures
  const times = starts.map(({ firstAnswerMs }) => firstAnswerMs)
  const spent = starts.flatMap(({ processorMs }) => processorMs ?? [])
  const table = aligned([
    ['First start, ms', 'Fastest, ms', 'CPU, ms', 'Memory after a day, MB', 'At most, MB'],
    [median(times), Math.min(...times), median(spent), restMb, peakMb].map(String),
  ])
  console.log(table)
  if (quick) return
  keep('embedded', { ...machine(), ...figures })
  show('npm run bench -- embedded', table)
}

/** One path in a small and a large shop, in turns. */
export type Growth = {
  readonly path: string
  /** Pages of the database that a request looks at. */
  readonly pages: { readonly small: number; readonly large: number }
  readonly rounds: readonly { small: Load; large: Load }[]
}

/** The same for shops of different sizes. */
export function reportGrowth(
  found: readonly Growth[],
  { small, large, quick }: { small: number; large: number; quick: boolean },
): void {
  const rows = found.map(({ path, pages, rounds }) => ({
    ...{ path, pages },
    small: typical(rounds.map((it) => it.small)),
    large: typical(rounds.map((it) => it.large)),
    times: rounded(median(rounds.map((it) => it.small.perSecond / it.large.perSecond))),
  }))
  const table = aligned([
    [
      'Request',
      `${small} services, req/s`,
      `${large} services, req/s`,
      'Times as long',
      'Pages read',
    ],
    ...rows.map(({ path, times, pages, ...row }) => [
      ...[`\`GET ${path}\``, String(row.small.perSecond), String(row.large.perSecond)],
      ...[times.toFixed(2), `${pages.small} / ${pages.large}`],
    ]),
  ])
  console.log(table)
  if (quick) return
  keep(`growth-${large}`, { ...machine(), small, large, rows, found })
  show(`npm run bench -- growth, ${large}`, table)
}

/** What came to a table. */
export type TableGrowth = { readonly name: string; readonly rows: number; readonly bytes: number }

/** A day of a shop, and the renewals and the size of its database at the end of it. */
export type Day = {
  readonly seconds: number
  readonly jobs: number
  readonly renewals: number
  readonly bytes: number
  /** Seconds of each kind of work that the time drives. */
  readonly driven: readonly (readonly [name: string, seconds: number])[]
}

type ScaleFigures = {
  readonly services: number
  readonly renewals: number
  readonly paid: number
  readonly seconds: number
  readonly processorSeconds: number
  readonly jobs: number
  readonly days: readonly Day[]
  readonly tables: readonly TableGrowth[]
}

/** What a month of a shop left, for each renewal; a full run also goes to docs/scale.md. */
export function reportScale(figures: ScaleFigures, { quick }: { quick: boolean }): void {
  const { services, renewals, paid, seconds, processorSeconds, jobs, tables } = figures
  const whole = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = tables.filter(({ bytes }) => bytes > whole / 50)
  const month = aligned([
    ['Services', 'Renewals', 'Paid', 'Seconds', 'CPU, ms each', 'Jobs each', 'Bytes each'],
    [
      ...[String(services), String(renewals), String(paid), seconds.toFixed(0)],
      ...[((processorSeconds * 1000) / renewals).toFixed(1), (jobs / renewals).toFixed(1)],
      String(Math.round(whole / renewals)),
    ],
  ])
  const left = aligned([
    ['Table', 'Rows each', 'Bytes each, with indexes'],
    ...shown.map(({ name, rows, bytes }) => [
      ...[`\`${name}\``, (rows / renewals).toFixed(2), String(Math.round(bytes / renewals))],
    ]),
  ])
  const whatItSays = [month, left, daysOf(figures), drivenOf(figures)].join('\n\n')
  console.log(whatItSays)
  if (quick) return
  keep('scale', { ...machine(), ...figures })
  show('node bench/scale.ts', whatItSays, SCALE_PAGE)
}

const WEEK_DAYS = 7

/** The first and the last week: whether a day takes longer as the tables grow. */
function daysOf({ days }: ScaleFigures): string {
  const weeks = [days.slice(0, WEEK_DAYS), days.slice(-WEEK_DAYS)]
  const titles = ['first', 'last']
  return aligned([
    ['Week', 'Seconds a day', 'Jobs a day', 'Database at its end, MB'],
    ...weeks.map((week, index) => [
      ...[titles[index] ?? '', median(week.map(({ seconds }) => seconds)).toFixed(1)],
      ...[median(week.map(({ jobs }) => jobs)).toFixed(0)],
      ((week.at(-1)?.bytes ?? 0) / 1e6).toFixed(0),
    ]),
  ])
}

/** What the time drives and takes longest, on a day in the middle and on the worst one. */
function drivenOf({ days }: ScaleFigures): string {
  const all = Map.groupBy(
    days.flatMap(({ driven }) => driven),
    ([name]) => name,
  )
  const rows = [...all]
    .map(([name, each]) => ({ name, seconds: each.map(([, seconds]) => seconds) }))
    .map(({ name, seconds }) => ({ name, usual: median(seconds), worst: Math.max(...seconds) }))
    .sort((a, b) => b.usual - a.usual)
    .slice(0, 8)
  return aligned([
    ['Driven by the time', 'Seconds a day', 'On the worst day'],
    ...rows.map(({ name, usual, worst }) => [`\`${name}\``, usual.toFixed(2), worst.toFixed(2)]),
  ])
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
  show('npm run bench -- renewals', table)
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
  show('npm run bench -- imports', table)
}

/** Where and when something was measured. */
export function machine() {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    cpu: `${os.availableParallelism()} × ${os.cpus()[0]?.model ?? 'unknown'}`,
  }
}

/** Writes a result down, for machines. */
export function keep(name: string, result: object): void {
  fs.mkdirSync(RESULTS, { recursive: true })
  fs.writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

/** Puts a table in its place on the page. */
export function show(name: string, table: string, file = PAGE): void {
  const begin = `<!-- table: ${name} -->`
  const page = fs.readFileSync(file, 'utf8')
  const start = page.indexOf(begin)
  const end = page.indexOf(END, start)
  if (start < 0 || end < 0) throw new Error(`${file} has no place for ${begin}`)
  fs.writeFileSync(file, `${page.slice(0, start)}${begin}\n\n${table}\n\n${page.slice(end)}`)
}

function rowOf({ path, rounds }: Measurement) {
  return {
    path,
    service: typical(rounds.map(({ service }) => service)),
    bare: typical(rounds.map(({ bare }) => bare)),
    ratio: ratioOf(rounds.map(({ service, bare }) => [service, bare])),
  }
}

/** The median of how many requests one program answers for each of the other's. */
function ratioOf(rounds: readonly (readonly [Load, Load])[]): number {
  return rounded(median(rounds.map(([one, other]) => one.perSecond / other.perSecond)))
}

function typical(loads: readonly Load[]) {
  const micros = loads.flatMap(({ processorMicros }) => processorMicros ?? [])
  return {
    perSecond: Math.round(median(loads.map(({ perSecond }) => perSecond))),
    p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
    processorMicros: micros.length > 0 ? Math.round(median(micros)) : null,
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}

/** A table as Markdown, its columns aligned: the first to the left, the others to the right. */
export function aligned(cells: readonly string[][]): string {
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
