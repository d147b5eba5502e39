import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureServices, type Result } from './services.ts'

const BEGIN = '<!-- measured -->'
const END = '<!-- /measured -->'

/** `npm run bench`: measures, prints, and keeps the result where the documentation shows it. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    /** Prints only. */
    dry: { type: 'boolean', default: false },
  },
})

const result = await measureServices({
  rows: 20,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
})
console.log(tableOf(result))
if (!values.dry) keep(result)

function tableOf({ name, rows, service, bare, ratio, bytes }: Result): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    line([`${name}, ${rows} rows`, 'requests/s', 'p50 ms', 'p99 ms', 'ratio']),
    line(['---', '---:', '---:', '---:', '---:']),
    line(['bare `node:http` and `pg`', ...cellsOf(bare), '1']),
    line(['the service', ...cellsOf(service), ratio.toFixed(2)]),
    '',
    `${bytes} bytes each.`,
  ].join('\n')
}

function cellsOf({ requestsPerSecond, p50Ms, p99Ms }: Result['bare']): number[] {
  return [Math.round(requestsPerSecond), p50Ms, p99Ms]
}

function keep(result: Result): void {
  const folder = path.join(import.meta.dirname, 'results')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'services.json'), `${JSON.stringify(result, null, 2)}\n`)
  const page = path.join(import.meta.dirname, '../docs/performance.md')
  const [before, rest] = fs.readFileSync(page, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${page} has no place for the table`)
  const { at, machine, rounds, seconds, connections } = result
  const how = `${at.slice(0, 10)}, ${machine}; ${rounds} rounds of ${seconds} s, ${connections} connections.`
  fs.writeFileSync(page, `${before}${BEGIN}\n\n${tableOf(result)} ${how}\n\n${END}${after}`)
}
