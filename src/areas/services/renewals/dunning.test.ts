import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, dayOf, type Instant, instant, later, SECOND_MS } from '#lib/time.ts'
import type { Warning } from '../suspension-notices/rules.ts'
import {
  DEFAULT_DUNNING,
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
  const known = { suspendedAt: schedule.suspendAt, announced: schedule.remindersAt[4] ?? null }
  assert.equal(terminableAt(schedule, known), schedule.terminateAt)
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
    fc.property(anySecond, anySecond, anySecond, (reminded, suspended, again) => {
      const remindedAt = later(dueAt, reminded * SECOND_MS)
      const suspendAt = suspendableAt(schedule, remindedAt)
      assert.ok(suspendAt !== null && suspendAt >= later(dueAt, 3 * DAY_MS))
      assert.ok(suspendAt >= later(remindedAt, DAY_MS))
      const suspendedAt = later(dueAt, suspended * SECOND_MS)
      const announced = later(dueAt, again * SECOND_MS)
      const terminateAt = terminableAt(schedule, { suspendedAt, announced })
      assert.ok(terminateAt !== null && terminateAt >= later(dueAt, 14 * DAY_MS))
      assert.ok(terminateAt > suspendedAt && terminateAt >= later(announced, DAY_MS))
      assert.equal(terminableAt(schedule, { suspendedAt, announced: null }), null)
      assert.equal(terminableAt(schedule, { suspendedAt: null, announced }), null)
    }),
  )
  assert.equal(suspendableAt(schedule, null), null)
})

const afterDays = (days: number) => later(dueAt, days * DAY_MS)

function sent(at: Instant): Warning {
  return { writtenAt: at, sentAt: at, operatorsToldAt: null, fate: 'sent' }
}

function unsent(fate: 'waiting' | 'refused' | 'lost', writtenAt: Instant): Warning {
  return { writtenAt, sentAt: null, operatorsToldAt: null, fate }
}

const facts = {
  ...{ charges: 0, reminders: 0, suspendedAt: null },
  warning: sent(afterDays(-3)),
}

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
  const waiting = { ...facts, warning: unsent('waiting', afterDays(0)) }
  assert.equal(dunningStep(schedule, waiting, afterDays(30)).suspend, false)
  assert.equal(dunningStep(schedule, facts, afterDays(3)).suspend, true)
  const justSent = { ...facts, warning: sent(afterDays(20)) }
  assert.equal(dunningStep(schedule, justSent, later(afterDays(21), -1)).suspend, false)
  assert.equal(dunningStep(schedule, justSent, afterDays(21)).suspend, true)
})

test('a notice that nobody takes is for operators a day ahead, and counts from when they know', () => {
  const warning = unsent('refused', afterDays(-3))
  const refused = { ...facts, reminders: 5, charges: 4, warning }
  assert.equal(dunningStep(schedule, refused, later(afterDays(2), -1)).tellOperators, false)
  const step = dunningStep(schedule, refused, afterDays(2))
  assert.deepEqual([step.tellOperators, step.suspend, step.next], [true, false, 'suspension'])
  assert.equal(dunningStep(schedule, refused, afterDays(30)).suspend, false)
  const known = { ...refused, warning: { ...warning, operatorsToldAt: afterDays(30) } }
  assert.equal(dunningStep(schedule, known, later(afterDays(31), -1)).suspend, false)
  const after = dunningStep(schedule, known, afterDays(31))
  assert.deepEqual([after.suspend, after.tellOperators], [true, false])
  const sentAfterAll = { ...known, warning: { ...known.warning, sentAt: afterDays(30.5) } }
  assert.equal(dunningStep(schedule, sentAfterAll, afterDays(31)).suspend, false)
})

test('a notice that got lost on our side is written again each day, and never counts', () => {
  const lost = { ...facts, reminders: 5, charges: 4, warning: unsent('lost', afterDays(5)) }
  const early = dunningStep(schedule, lost, later(afterDays(6), -1))
  assert.deepEqual([early.remind, early.tellOperators, early.suspend], [false, false, false])
  const step = dunningStep(schedule, lost, afterDays(6))
  assert.deepEqual([step.remind, step.tellOperators, step.suspend], [true, false, false])
})

test('without days of reminders a notice goes out a day ahead all the same', () => {
  const silent = dunningSchedule(dueAt, { ...DEFAULT_DUNNING, reminderDays: [] })
  const none = { ...facts, charges: 4, warning: null }
  assert.equal(dunningStep(silent, none, later(afterDays(2), -1)).remind, false)
  assert.equal(dunningStep(silent, none, later(afterDays(2), -1)).nextAt, afterDays(2))
  assert.equal(dunningStep(silent, none, afterDays(2)).remind, true)
})

test('a service is ended only once the panel has confirmed its suspension, and its end was told', () => {
  assert.equal(dunningStep(schedule, facts, afterDays(14)).terminate, false)
  const suspended = { ...facts, suspendedAt: afterDays(3), warning: sent(afterDays(10)) }
  assert.equal(dunningStep(schedule, suspended, later(afterDays(14), -1)).terminate, false)
  assert.equal(dunningStep(schedule, suspended, afterDays(14)).terminate, true)
  const untold = { ...suspended, reminders: 5, warning: null }
  const step = dunningStep(schedule, untold, afterDays(14))
  assert.deepEqual([step.terminate, step.remind, step.next], [false, true, 'end'])
  assert.equal(step.nextStepAt, afterDays(15))
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
