import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DAY_MS, dayOf, HOUR_MS, instant, MINUTE_MS } from '#lib/time.ts'
import { seededRandom } from '#sandbox/panel/state/clock.ts'
import { root } from './ground.ts'
import { KINDS, type Kind, momentOfDay, monthOf, PEOPLE } from './million/life.ts'
import { busiestHour, type Outage, waitingOf } from './million/queue.ts'
import { aligned, keep, machine, SCALE_PAGE, show } from './report.ts'

/**
 * A month of a shop of a million services, simulated: `node bench/million.ts [SERVICES] [--quick]`. What
 * happens to each service, and in which minute, comes of the rules that the product itself renews and duns
 * by; what people do is assumed (`PEOPLE`); what it costs was measured by the other programs here. It says
 * where work waits, for how long, and how many workers and panels it wants. Nothing is run.
 */
const quick = process.argv.includes('--quick')
const SERVICES = Number(process.argv.slice(2).find((it) => /^\d+$/.test(it)) ?? 1_000_000)
const SEED = 2027
/** The shortest month: what was sold on the 29th to the 31st is due on its last day as well. */
const MONTH = { startMs: Date.UTC(2027, 1, 1), endMs: Date.UTC(2027, 2, 1) }
const MINUTES = (MONTH.endMs - MONTH.startMs) / MINUTE_MS
const [DAY_MINUTES, HOUR_MINUTES] = [DAY_MS / MINUTE_MS, HOUR_MS / MINUTE_MS]
const WORKERS = [1, 2, 4, 8]
const PANELS = [5, 10, 20, 40]
/** Of what one owner's keys may ask, work in bulk takes at most half (docs/decisions/0034-pace.md). */
const PANEL_CALLS_A_MINUTE = 120
/** Requests to a panel, or to a payment provider. */
const PANEL_CALLS: Partial<Record<Kind, number>> = {
  ...{ purchase: 10, suspension: 2, return: 2, deletion: 2 },
}
/** Nothing is done for so long, from this hour (UTC) of the busiest day on. */
const OUTAGE = { hours: 6, from: 16 }
const MAILED = new Set<Kind>(['purchase', 'invoice', 'reminder', 'payment', 'suspension', 'end'])
/** A worker's processor is not asked for more: the rest is for what is not in here. */
const USABLE = 0.7

type Counts = Record<Kind, Float64Array>

const counts = lived()
const costs = measuredCosts()
const tables = [happenedTable(), workersTable(), panelsTable(), dataTable()].join('\n\n')
console.log(tables)
if (!quick) {
  const happened = KINDS.map((kind) => [kind, { month: sumOf(counts[kind]), hour: hourOf(kind) }])
  keep('million', { ...machine(), services: SERVICES, costs, ...Object.fromEntries(happened) })
  show('node bench/million.ts', tables, SCALE_PAGE)
}

/** How often each thing happens in each minute. */
function lived(): Counts {
  const found = Object.fromEntries(KINDS.map((kind) => [kind, new Float64Array(MINUTES)])) as Counts
  const note = (kind: Kind, atMs: number) => {
    const minute = Math.floor((atMs - MONTH.startMs) / MINUTE_MS)
    found[kind][minute] = (found[kind][minute] ?? 0) + 1
  }
  const random = seededRandom(SEED)
  for (let service = 0; service < SERVICES; service += 1) {
    for (const [kind, atMs] of monthOf(MONTH, random)) note(kind, atMs)
  }
  for (let sold = 0; sold < SERVICES * PEOPLE.purchases; sold += 1) {
    const day = Math.floor((random() * (MONTH.endMs - MONTH.startMs)) / DAY_MS)
    note('purchase', MONTH.startMs + day * DAY_MS + momentOfDay(random))
  }
  return found
}

/** Milliseconds of a processor, and bytes, that something takes: as written down in bench/results. */
function measuredCosts() {
  const scale = recorded('scale')
  const { renewals, processorSeconds } = scale
  const tables = scale.tables as readonly { name: string; bytes: number }[]
  const kept = tables.filter(({ name }) => !name.startsWith('jobs.'))
  const pipeline = recorded('pipeline').rounds as readonly { service: { processorMs: number } }[]
  const processor = pipeline.map(({ service }) => service.processorMs).sort((a, b) => a - b)
  return {
    // The month of scale.ts holds the invoice, the notices and the payment of each renewal.
    renewalMs: (processorSeconds * 1000) / renewals,
    purchaseMs: processor[Math.floor(processor.length / 2)] ?? 0,
    renewalBytes: kept.reduce((sum, { bytes }) => sum + bytes, 0) / renewals,
    jobs: scale.jobs / renewals,
  }
}

function recorded(name: string) {
  const file = path.join(root, `bench/results/${name}.json`)
  assert.ok(fs.existsSync(file), `${file} is not there: measure it first`)
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

function sumOf(minutes: Float64Array): number {
  return minutes.reduce((sum, it) => sum + it, 0)
}

/** The sum of several kinds, each so many times. */
function weighted(times: (kind: Kind) => number): Float64Array {
  const sum = new Float64Array(MINUTES)
  for (const kind of KINDS) {
    for (const [minute, count] of counts[kind].entries()) {
      sum[minute] = (sum[minute] ?? 0) + count * times(kind)
    }
  }
  return sum
}

function dayNamed(day: number): string {
  return dayOf(instant(MONTH.startMs + day * DAY_MS))
}

function hourOf(kind: Kind): number {
  return busiestHour(counts[kind])
}

/** The day of the month, from 0 on, on which most comes. */
function busiestDay(minutes: Float64Array): number {
  const days = Array.from({ length: MINUTES / DAY_MINUTES }, (_, day) =>
    sumOf(minutes.slice(day * DAY_MINUTES, (day + 1) * DAY_MINUTES)),
  )
  return days.indexOf(Math.max(...days))
}

function outageIn(minutes: Float64Array): Outage {
  const from = busiestDay(minutes) * DAY_MINUTES + OUTAGE.from * HOUR_MINUTES
  return { from, to: from + OUTAGE.hours * HOUR_MINUTES }
}

function caughtUp(minutes: Float64Array, perMinute: number): string {
  const { caughtUpMinutes } = waitingOf(minutes, perMinute, outageIn(minutes))
  return caughtUpMinutes === null ? 'not in this month' : String(caughtUpMinutes)
}

function happenedTable(): string {
  const mails = weighted((kind) => (MAILED.has(kind) ? 1 : 0))
  const rows = [...KINDS.map((kind) => [kind, counts[kind]] as const), ['mail', mails] as const]
  return aligned([
    ['What happens', 'In the month', 'Busiest day', 'Busiest hour', 'Busiest minute'],
    ...rows.map(([name, minutes]) => [
      ...[name, whole(sumOf(minutes)), dayNamed(busiestDay(minutes))],
      ...[whole(busiestHour(minutes))],
      whole(minutes.reduce((most, it) => Math.max(most, it), 0)),
    ]),
  ])
}

/** A renewal's work comes in two parts: with its invoice, and with what becomes of it. */
function workMs(kind: Kind): number {
  if (kind === 'purchase') return costs.purchaseMs
  if (kind === 'invoice' || kind === 'payment') return costs.renewalMs / 2
  // A step of dunning is a job, and mostly a mail: as much as a job of a renewal.
  return costs.renewalMs / costs.jobs
}

function workersTable(): string {
  const work = weighted(workMs)
  return aligned([
    [
      ...['Workers', 'Busy on average', 'In the busiest hour', 'Longest wait, s'],
      `Caught up after ${OUTAGE.hours} h, min`,
    ],
    ...WORKERS.map((workers) => {
      const perMinute = workers * MINUTE_MS * USABLE
      const { busiest, longestMinutes, left } = waitingOf(work, perMinute)
      const busy = percent(sumOf(work) / (perMinute * MINUTES))
      const waits = left > perMinute ? 'never done' : (longestMinutes * 60).toFixed(0)
      return [String(workers), busy, percent(busiest), waits, caughtUp(work, perMinute)]
    }),
  ])
}

function panelsTable(): string {
  const calls = weighted((kind) => PANEL_CALLS[kind] ?? 0)
  return aligned([
    [
      ...['Panels', 'Services each', 'Allowance used', 'In the busiest hour', 'Longest wait, min'],
      `Caught up after ${OUTAGE.hours} h, min`,
    ],
    ...PANELS.map((panels) => {
      // Customers are spread over them, so each has its share of every minute.
      const each = calls.map((it) => it / panels)
      const { busiest, longestMinutes, left } = waitingOf(each, PANEL_CALLS_A_MINUTE)
      const used = percent(sumOf(each) / (PANEL_CALLS_A_MINUTE * MINUTES))
      const waits = left > PANEL_CALLS_A_MINUTE ? 'never done' : longestMinutes.toFixed(1)
      return [
        ...[String(panels), whole(SERVICES / panels), used, percent(busiest), waits],
        caughtUp(each, PANEL_CALLS_A_MINUTE),
      ]
    }),
  ])
}

function dataTable(): string {
  const invoices = sumOf(counts.invoice) + sumOf(counts.purchase)
  const jobs = sumOf(counts.invoice) * costs.jobs
  const charges = hourOf('charge') / 3600
  return aligned([
    ['What it comes to', ''],
    ['Data in the month, GB', ((invoices * costs.renewalBytes) / 1e9).toFixed(1)],
    ['Jobs a second, on average', (jobs / (MINUTES * 60)).toFixed(1)],
    ['Charges a second, in the busiest hour', charges.toFixed(2)],
    ['Processor of a renewal, ms', costs.renewalMs.toFixed(1)],
    ['Processor of a purchase, ms', costs.purchaseMs.toFixed(1)],
  ])
}

function whole(value: number): string {
  return String(Math.round(value))
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
