import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prettyLine } from './log-line.ts'

const line = (more: object, coloured = false) =>
  prettyLine(JSON.stringify({ level: 'info', time: '2026-03-02T09:00:01.250Z', ...more }), coloured)

test('an event is a line with its time, level, name and ids, and no key without a value', () => {
  const event = 'billing.invoice-paid'
  assert.equal(
    line({ event, msg: event, requestId: null, invoiceId: 'i-1', attempt: 2 }),
    '09:00:01.250 INFO  billing.invoice-paid invoiceId=i-1 attempt=2\n',
  )
})

test('an error stands below its line', () => {
  const err = { message: 'gone', stack: 'Error: gone\n    at somewhere' }
  assert.equal(
    line({ level: 'error', msg: 'failed', err }),
    '09:00:01.250 ERROR failed\n  Error: gone\n      at somewhere\n',
  )
})

test('colours are for terminals only', () => {
  assert.ok(!line({ msg: 'up' }).includes('\u001B'))
  assert.ok(line({ msg: 'up' }, true).includes('\u001B[36mINFO'))
})

test('text of a caller neither controls the terminal nor forges a line', () => {
  const text = line({ msg: 'a\u001B[2Jb', path: '/x\n09:00:02.000 INFO  users.deleted' })
  assert.equal(text, '09:00:01.250 INFO  a [2Jb path=/x 09:00:02.000 INFO  users.deleted\n')
})
