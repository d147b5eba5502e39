import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const SOURCES = path.join(import.meta.dirname, '..')

/** Who asks the machine for the time of day, and what for. Whatever waits goes by `performance.now()`. */
const TIME_OF_DAY: Record<string, string> = {
  'platform/clock.ts': 'the clock itself',
  'platform/database/folder-lock.ts': 'since when a process has a folder, as people are told',
  'platform/clock-skew.ts': 'compares it with the database server’s',
  'platform/http/limits.ts': 'quotas are of a minute of the day, the same for all processes',
  'areas/billing/gateways/paypal/certificates.ts': 'certificates end at a time of day',
  'areas/billing/gateways/paypal/client.ts': 'tokens of PayPal end at a time of day',
  'areas/billing/gateways/paypal/transactions.ts': 'what PayPal has of today',
  'areas/billing/inbox/routes.ts': 'when a message came, by the clock it was signed by',
  'areas/panel/clients/panel-error.ts': 'when a panel failed, as people are told',
  'lib/id.ts': 'ids sort by when they were made',
}

test('what waits or measures goes by a clock that never jumps (hardening 49)', () => {
  const asking = fs
    .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /Date\.now\(|new Date\(\)/.test(fs.readFileSync(path.join(SOURCES, file), 'utf8')),
    )
  assert.deepEqual(asking.sort(), Object.keys(TIME_OF_DAY).sort())
})

test('no hour is one of a place that puts its clocks forward and back (hardening 49)', () => {
  const local =
    /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\(|getTimezoneOffset|toLocale(?:Date|Time)?String\(/
  const found = fs
    .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => local.test(fs.readFileSync(path.join(SOURCES, file), 'utf8')))
  assert.deepEqual(found, [])
})
