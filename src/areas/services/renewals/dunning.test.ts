import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, dayOf, instant, later, SECOND_MS } from '#lib/time.ts'
import {
  deleteDataAt,
  dunningSchedule,
  dunningStep,
  suspendableAt,
  terminableAt,
} from './dunning.ts'

const dueAt = instant('2026-04-30T10:15:00Z')
const schedule = dunningSchedule(dueAt)

test('E43: four attempts to charge, suspension after 3 days, termination after 14', () => {
  const days = ['2026-04-30', '2026-05-01', '2026-05-03', '2026-05-07']
  assert.deepEqual(schedule.attemptsAt.map(dayOf), days)
  assert.equal(schedule.suspendAt, '2026-05-03T10:15:00.000Z')
  assert.equal(schedule.terminateAt, '2026-05-14T10:15:00.000Z')
  assert.ok(schedule.attemptsAt.every((at) => at.endsWith('T10:15:00.000Z')))
})

test('reminders go out from 3 days before to 10 days after', () => {
  const days = ['2026-04-27', '2026-04-30', '2026-05-01', '2026-05-03', '2026-05-10']
  assert.deepEqual(schedule.remindersAt.map(dayOf), days)
})

test('a service that was warned in time is suspended and terminated on schedule', () => {
  const warned = schedule.remindersAt[0] ?? null
  assert.equal(suspendableAt(schedule, warned), schedule.suspendAt)
  assert.equal(terminableAt(schedule, schedule.suspendAt), schedule.terminateAt)
})

test('data is deleted a week after the termination', () => {
  assert.equal(deleteDataAt(schedule.terminateAt), '2026-05-21T10:15:00.000Z')
})

test('the days are a setting', () => {
  const terms = {
    attemptDays: [0],
    reminderDays: [-1, 2],
    suspendDays: 0,
    terminateDays: 2,
    deleteDataDays: 1,
  }
  const short = dunningSchedule(dueAt, terms)
  assert.deepEqual(short.remindersAt.map(dayOf), ['2026-04-29', '2026-05-02'])
  assert.deepEqual([short.suspendAt, dayOf(short.terminateAt)], [dueAt, '2026-05-02'])
  assert.equal(dayOf(deleteDataAt(short.terminateAt, terms)), '2026-05-03')
})

test('invariant 18: nobody is suspended unwarned or early, nor terminated unsuspended', () => {
  const anySecond = fc.integer({ min: -5 * 86_400, max: 40 * 86_400 })
  fc.assert(
    fc.property(anySecond, anySecond, (reminded, suspended) => {
      const remindedAt = later(dueAt, reminded * SECOND_MS)
      const suspendAt = suspendableAt(schedule, remindedAt)
      assert.ok(suspendAt !== null && suspendAt >= later(dueAt, 3 * DAY_MS))
      assert.ok(suspendAt >= later(remindedAt, DAY_MS))
      const suspendedAt = later(dueAt, suspended * SECOND_MS)
      const terminateAt = terminableAt(schedule, suspendedAt)
      assert.ok(terminateAt !== null && terminateAt >= later(dueAt, 14 * DAY_MS))
      assert.ok(terminateAt > suspendedAt)
    }),
  )
  assert.equal(suspendableAt(schedule, null), null)
  assert.equal(terminableAt(schedule, null), null)
})

const facts = {
  ...{ charges: 0, reminders: 0, suspendedAt: null },
  firstReminderSentAt: schedule.remindersAt[0] ?? null,
}
const afterDays = (days: number) => later(dueAt, days * DAY_MS)

test('a period is reminded of before it is due, and neither charged nor suspended', () => {
  const step = dunningStep(schedule, facts, afterDays(-3))
  assert.deepEqual([step.remind, step.charge, step.suspend], [true, false, false])
  assert.equal(step.nextAt, dueAt)
})

test('after a downtime one reminder and one charge stand for all that were missed', () => {
  const step = dunningStep(schedule, facts, afterDays(8))
  assert.deepEqual([step.reminders, step.charges], [4, 4])
  assert.deepEqual([step.remind, step.charge], [true, true])
  const again = dunningStep(schedule, { ...facts, reminders: 4, charges: 4 }, afterDays(8))
  assert.deepEqual([again.remind, again.charge], [false, false])
})

test('nobody is suspended while no reminder has gone out, however late it is', () => {
  const unsent = { ...facts, firstReminderSentAt: null }
  assert.equal(dunningStep(schedule, unsent, afterDays(30)).suspend, false)
  assert.equal(dunningStep(schedule, facts, afterDays(3)).suspend, true)
  const justSent = { ...facts, firstReminderSentAt: afterDays(20) }
  assert.equal(dunningStep(schedule, justSent, later(afterDays(21), -1)).suspend, false)
  assert.equal(dunningStep(schedule, justSent, afterDays(21)).suspend, true)
})

test('a service is ended only once the panel has confirmed its suspension', () => {
  assert.equal(dunningStep(schedule, facts, afterDays(14)).terminate, false)
  const suspended = { ...facts, suspendedAt: afterDays(3) }
  assert.equal(dunningStep(schedule, suspended, later(afterDays(14), -1)).terminate, false)
  assert.equal(dunningStep(schedule, suspended, afterDays(14)).terminate, true)
})

test('the next look is always ahead', () => {
  const anySecond = fc.integer({ min: -10 * 86_400, max: 60 * 86_400 })
  fc.assert(
    fc.property(anySecond, fc.option(anySecond), (second, suspended) => {
      const now = later(dueAt, second * SECOND_MS)
      const suspendedAt = suspended === null ? null : later(dueAt, suspended * SECOND_MS)
      assert.ok(dunningStep(schedule, { ...facts, suspendedAt }, now).nextAt > now)
    }),
  )
})
