import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, HOUR_MS, type Instant, instant, later } from '#lib/time.ts'
import {
  closesAt,
  type Facts,
  factsAfter,
  firstFacts,
  LIMITS,
  mayReopen,
  newNumber,
  numberIn,
  secondsUntilAllowed,
  statusOf,
  TICKET_WINDOWS,
  type TicketEvent,
} from './rules.ts'

const start = instant('2026-11-30T08:00:00Z')
const at = (hours: number) => later(start, hours * HOUR_MS)

type Step = readonly [TicketEvent, hours: number]

function after(steps: readonly Step[], by: 'customer' | 'staff' = 'customer'): Facts {
  return steps.reduce(
    (facts, [event, hours]) => factsAfter(facts, event, at(hours)),
    firstFacts(by, start),
  )
}

const message: TicketEvent = { kind: 'customer_message' }
const note: TicketEvent = { kind: 'note' }
const reply = (next: 'open' | 'answered' | 'hold' | 'close', holdUntil: Instant | null = null) =>
  ({ kind: 'staff_reply', next, holdUntil }) as const

test('support E12: a second message of the customer leaves the beginning of the wait', () => {
  const facts = after([[message, 1]])
  assert.deepEqual([statusOf(facts), facts.waitingSince], ['open', start])
})

test('support E13: a note is no first response and leaves the order of the customer’s list', () => {
  const facts = after([[note, 1]])
  assert.deepEqual(
    [statusOf(facts), facts.firstRespondedAt, facts.lastMessageAt, facts.lastActivityAt],
    ['open', null, start, at(1)],
  )
})

test('support E14: after a hold the customer waits from its end on', () => {
  const held = after([[reply('hold', at(72)), 1]])
  assert.deepEqual([statusOf(held), held.holdUntil], ['on_hold', at(72)])
  const open = factsAfter(held, { kind: 'reopened' }, at(72))
  assert.deepEqual([statusOf(open), open.waitingSince, open.onHoldAt], ['open', at(72), null])
})

test('support E16: a closed ticket reopens for the days of the setting, and not later', () => {
  const closed = after([[{ kind: 'closed', by: 'customer' }, 0]])
  assert.equal(mayReopen(closed, 14, later(start, 14 * DAY_MS)), true)
  assert.equal(mayReopen(closed, 14, later(start, 15 * DAY_MS)), false)
  assert.equal(mayReopen(firstFacts('customer', start), 14, start), false, 'it is open')
})

test('support E17: an answer to a closed ticket leaves it closed', () => {
  for (const next of ['close', 'answered'] as const) {
    const facts = after([
      [reply('close'), 1],
      [reply(next), 2],
    ])
    assert.equal(statusOf(facts), 'closed', next)
  }
})

const outcomes = [
  ['open', 'open', start],
  ['answered', 'answered', null],
  ['hold', 'on_hold', null],
  ['close', 'closed', null],
] as const

for (const [next, status, waitingSince] of outcomes) {
  test(`an answer with ${next} makes an open ticket ${status}`, () => {
    const facts = after([[reply(next), 1]])
    assert.deepEqual([statusOf(facts), facts.waitingSince], [status, waitingSince])
    assert.deepEqual([facts.firstRespondedAt, facts.lastMessageAt], [at(1), at(1)])
  })
}

test('a message of the customer ends a hold and a closing', () => {
  for (const next of ['hold', 'close'] as const) {
    const facts = after([
      [reply(next, next === 'hold' ? at(9) : null), 1],
      [message, 2],
    ])
    assert.deepEqual(
      [statusOf(facts), facts.waitingSince, facts.holdUntil, facts.closedBy],
      ['open', at(2), null, null],
    )
  }
})

const terms = { autoCloseDays: 7, autoCloseNoticeDays: 2 }
const inDays = (days: number) => later(start, days * DAY_MS)
const announced: TicketEvent = { kind: 'closing_announced' }

test('support E15, E19: an answered ticket is closed days after the answer, and a whole reminder after its notice', () => {
  const answered = after([[reply('answered'), 0]])
  assert.equal(closesAt(answered, terms), null, 'nobody was reminded')
  const onTime = factsAfter(answered, announced, inDays(5))
  assert.equal(closesAt(onTime, terms), inDays(7))
  const late = factsAfter(answered, announced, inDays(20))
  assert.equal(closesAt(late, terms), inDays(22))
  assert.equal(closesAt(late, { ...terms, autoCloseDays: 0 }), null, 'it was switched off')
})

test('a message, a hold and a closing end what was announced; a note does not', () => {
  const steps = (event: TicketEvent) =>
    after([
      [reply('answered'), 1],
      [announced, 2],
      [event, 3],
    ])
  assert.equal(steps(note).closingNoticeAt, at(2))
  const others: TicketEvent[] = [
    ...[message, reply('answered'), reply('open'), reply('hold'), reply('close')],
    { kind: 'held', until: null },
    { kind: 'closed', by: 'auto' },
    { kind: 'reopened' },
  ]
  for (const event of others) assert.equal(steps(event).closingNoticeAt, null, event.kind)
})

const anyEvent: fc.Arbitrary<TicketEvent> = fc.oneof(
  fc.constant(message),
  fc.constant(note),
  fc.constantFrom('open', 'answered', 'hold', 'close').map((next) => reply(next as 'open')),
  fc.constant<TicketEvent>({ kind: 'held', until: null }),
  fc
    .constantFrom('customer', 'staff')
    .map((by) => ({ kind: 'closed', by: by as 'staff' }) as const),
  fc.constant<TicketEvent>({ kind: 'reopened' }),
  fc.constant(announced),
)

test('support A4: every sequence of events leaves facts of exactly one status', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('customer', 'staff'),
      fc.array(anyEvent, { maxLength: 20 }),
      (by, events) => {
        let facts = firstFacts(by as 'customer', start)
        for (const [index, event] of events.entries()) {
          const now = at(index + 1)
          // A closed ticket is not held: the action refuses it.
          if (event.kind === 'held' && facts.closedAt) continue
          // Only the closing of answered tickets is announced.
          if (event === announced && statusOf(facts) !== 'answered') continue
          const before = facts
          facts = factsAfter(facts, event, now)
          const { waitingSince, onHoldAt, holdUntil, closedAt, closedBy } = facts
          const status = statusOf(facts)
          if (waitingSince) assert.ok(status === 'open' || status === 'on_hold', status)
          if (closedAt) assert.deepEqual([waitingSince, onHoldAt, holdUntil], [null, null, null])
          assert.equal(closedAt === null, closedBy === null)
          if (holdUntil) assert.ok(onHoldAt)
          assert.ok(before.firstRespondedAt === null || facts.firstRespondedAt, 'it stays')
          assert.equal(facts.lastActivityAt, event === announced ? before.lastActivityAt : now)
          if (facts.closingNoticeAt) assert.equal(status, 'answered')
          assert.ok(facts.lastMessageAt >= before.lastMessageAt)
        }
      },
    ),
  )
})

test('support A30: one more ticket is allowed as soon as the oldest counted one is an hour, or a day, old', () => {
  const five = [4, 3, 2, 1, 0].map((minutes) => later(start, minutes * 60_000))
  assert.equal(secondsUntilAllowed(five, TICKET_WINDOWS, later(start, 300_000)), 3300)
  assert.equal(secondsUntilAllowed(five, TICKET_WINDOWS, at(1)), null)
  assert.equal(secondsUntilAllowed(five.slice(1), TICKET_WINDOWS, later(start, 300_000)), null)
  const ofDay = Array.from({ length: LIMITS.ticketsADay }, (_, index) => at(20 - index))
  assert.equal(secondsUntilAllowed(ofDay, TICKET_WINDOWS, at(22)), (25 - 22) * 3600)
})

test('a number has 40 random bits, and is found however it is typed', () => {
  const numbers = new Set(Array.from({ length: 100 }, newNumber))
  assert.equal(numbers.size, 100)
  for (const number of numbers) assert.match(number, /^T-[0-9A-HJKMNP-TV-Z]{8}$/)
  for (const typed of ['T-7K3M9QX0', 't7k3m9qxo', ' 7k3m9qx0 ', 'T-7K3M9QXO']) {
    assert.equal(numberIn(typed), 'T-7K3M9QX0', typed)
  }
})
