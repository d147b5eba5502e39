import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, instant } from '#lib/time.ts'
import { endOfPart, partNamer, partsOf, spanOf } from './span.ts'
import { quarterNameOf, quarterOf } from './taxes/rules.ts'

const now = instant('2026-05-17T10:00:00Z')
const span = (from: string, to: string, interval: 'day' | 'month' | 'quarter') =>
  spanOf({ from: day(from), to: day(to), interval }, now)

test('without days, a report is about the last twelve months, this one included', () => {
  const { from, to, interval } = spanOf({}, now)
  assert.deepEqual([from, to], ['2025-06-01T00:00:00.000Z', '2026-05-18T00:00:00.000Z'])
  assert.equal(interval, 'month')
  assert.equal(partsOf(spanOf({}, now)).length, 12)
})

test('parts are those of the calendar, the first and last cut to the days asked for', () => {
  assert.deepEqual(partsOf(span('2026-01-15', '2026-03-02', 'month')), [
    { startOn: '2026-01-15', endOn: '2026-01-31' },
    { startOn: '2026-02-01', endOn: '2026-02-28' },
    { startOn: '2026-03-01', endOn: '2026-03-02' },
  ])
  assert.deepEqual(partsOf(span('2025-11-30', '2026-01-01', 'quarter')), [
    { startOn: '2025-11-30', endOn: '2025-12-31' },
    { startOn: '2026-01-01', endOn: '2026-01-01' },
  ])
  assert.equal(partsOf(span('2026-02-01', '2026-03-01', 'day')).length, 29)
})

test('a part that the database names by its calendar start is found where it was cut', () => {
  const named = partNamer(span('2026-01-15', '2026-03-02', 'month'))
  assert.equal(named('2026-01-01').startOn, '2026-01-15')
  assert.equal(named('2026-03-01').endOn, '2026-03-02')
})

test('days the wrong way round are refused, and more parts than a report has', () => {
  const refused = (from: string, to: string, interval: 'day' | 'month') =>
    assert.throws(() => span(from, to, interval), { statusCode: 400 })
  refused('2026-02-02', '2026-02-01', 'month')
  refused('2024-01-01', '2026-01-01', 'day')
  refused('2026-01-01', '9999-12-31', 'month')
  assert.doesNotThrow(() => span('2025-01-01', '2026-01-31', 'day'))
})

test('a calendar part ends the day before the next begins', () => {
  assert.equal(endOfPart('2028-02-01', 'month'), '2028-02-29')
  assert.equal(endOfPart('2026-10-01', 'quarter'), '2026-12-31')
})

test('a quarter is known by its name, and is the last one that is over by default', () => {
  assert.deepEqual(quarterOf('2026-Q4', now), {
    ...{ quarter: '2026-Q4', startOn: '2026-10-01', endOn: '2026-12-31' },
    ...{ from: '2026-10-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' },
  })
  assert.equal(quarterOf(undefined, now).quarter, '2026-Q1')
  assert.equal(quarterOf(undefined, instant('2026-02-01T00:00:00Z')).quarter, '2025-Q4')
  for (const name of ['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4']) {
    assert.equal(quarterNameOf(quarterOf(name, now).startOn), name)
  }
})
