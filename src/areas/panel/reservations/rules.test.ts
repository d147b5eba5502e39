import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instant } from '#lib/time.ts'
import type { Need } from '../clients/contract.ts'
import { type Machine, placesFor } from '../provisioning/capacity.ts'
import { alternativesFor, placesFound, placesLeft, type RoomSurvey } from './rules.ts'

const takenAt = instant('2030-01-08T00:00:00.000Z')
const need: Need = { memoryMb: 1000, diskMb: 1000, cpuPercent: 0, locationIds: [] }

function machine(memoryMb: number, more: Partial<Machine> = {}): Machine {
  return {
    ...{
      id: 1,
      name: 'm',
      fqdn: 'm.test',
      sftpPort: 2022,
      locationIds: ['1'],
      public: true,
      maintenance: false,
    },
    ...{ memoryMb, diskMb: 100_000, cpuPercent: Number.POSITIVE_INFINITY },
    ...{ memoryOverallocatePercent: 0, diskOverallocatePercent: 0, cpuOverallocatePercent: 0 },
    ...{ memoryAllocatedMb: 0, diskAllocatedMb: 0, cpuAllocatedPercent: 0, freePorts: 100 },
    ...more,
  }
}

/** A build that takes the same on each of these connections. */
function offerOn(nodeIds: readonly string[], where: Need = need) {
  return { needs: new Map(nodeIds.map((id) => [id, where])) }
}

function surveyOf(machines: Record<string, Machine[] | null>): RoomSurvey {
  const nodeIds = Object.keys(machines)
  const offers = new Map([['game', offerOn(nodeIds)]])
  const panels = new Map(nodeIds.map((id) => [id, `panel of ${id}`]))
  return { takenAt, offers, panels, machines: new Map(Object.entries(machines)) }
}

const servers = (count: number, build = 'game') =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, build }))
const promisedOn = (nodeId: string, count: number) =>
  Array.from({ length: count }, () => ({ nodeId, need }))

test('a connection is filled no further than its machines, what is promised included', () => {
  const survey = surveyOf({ a: [machine(3000), machine(2500, { id: 2 })] })
  assert.equal(placesFound(survey, [], servers(5))?.size, 5)
  assert.equal(placesFound(survey, [], servers(6)), undefined)
  assert.equal(placesFound(survey, promisedOn('a', 2), servers(3))?.size, 3)
  assert.equal(placesFound(survey, promisedOn('a', 2), servers(4)), undefined)
})

test('every server goes where there is most room at its turn', () => {
  const found = placesFound(surveyOf({ a: [machine(2000)], b: [machine(4000)] }), [], servers(4))
  assert.deepEqual([...(found?.values() ?? [])], ['b', 'b', 'a', 'b'])
})

test('connections to one panel share its machines, and what is promised on any of them', () => {
  const shared = [machine(4000)]
  const survey = {
    ...surveyOf({ a: shared, b: shared, away: null }),
    offers: new Map([['game', offerOn(['a', 'b', 'away'])]]),
    panels: new Map(['a', 'b', 'away', 'unused'].map((id) => [id, 'one panel'])),
  }
  assert.equal(placesFound(survey, [], servers(4))?.size, 4)
  assert.equal(placesFound(survey, [], servers(5)), undefined)
  const elsewhere = [...promisedOn('b', 1), ...promisedOn('unused', 2)]
  assert.equal(placesFound(survey, elsewhere, servers(1))?.size, 1)
  assert.equal(placesFound(survey, elsewhere, servers(2)), undefined)
})

test('a panel that is away comes after those with room, and keeps nobody from buying', () => {
  const found = placesFound(surveyOf({ away: null, b: [machine(1000)] }), [], servers(3))
  assert.deepEqual([...(found?.values() ?? [])], ['b', 'away', 'away'])
})

test('a machine in maintenance, without ports or elsewhere has no place', () => {
  for (const more of [{ maintenance: true }, { public: false }, { freePorts: 0 }]) {
    assert.equal(placesFound(surveyOf({ a: [machine(9000, more)] }), [], servers(1)), undefined)
  }
  const survey = surveyOf({ a: [machine(9000)] })
  const elsewhere = offerOn(['a'], { ...need, locationIds: ['2'] })
  const moved = { ...survey, offers: new Map([['game', elsewhere]]) }
  assert.equal(placesFound(moved, [], servers(1)), undefined)
})

test('what makes no server takes no place', () => {
  assert.equal(placesFound(surveyOf({ a: [] }), [], servers(3, 'a book'))?.size, 0)
})

test('the survey is left as it was', () => {
  const survey = surveyOf({ a: [machine(3000)] })
  placesFound(survey, promisedOn('a', 1), servers(2))
  assert.deepEqual(survey.machines.get('a'), [machine(3000)])
})

test('of servers alike exactly as many are promised as there are places, in whatever orders', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 25 }), (memory, before) => {
      const machines = memory.map((it, id) => machine(it, { id }))
      const places = placesFor(machines, need)
      const promised = promisedOn('a', Math.min(before, places))
      const left = places - promised.length
      const survey = surveyOf({ a: machines })
      assert.equal(placesFound(survey, promised, servers(left))?.size, left)
      assert.equal(placesFound(survey, promised, servers(left + 1)), undefined)
    }),
  )
})

/** A build that was sold in one of two places on the same panels: which machines it may use is per connection. */
const here: Need = { ...need, locationIds: ['1'] }
const there: Need = { ...need, locationIds: ['2'] }

function locatedSurvey(machines: Record<string, Machine[] | null>): RoomSurvey {
  const [a = '', b = ''] = Object.keys(machines)
  const offers = new Map([
    // Places of one location are called differently on each of its panels.
    [
      'fra',
      {
        needs: new Map([
          [a, here],
          [b, there],
        ]),
      },
    ],
    ['sgp', { needs: new Map([[a, there]]) }],
  ])
  return { ...surveyOf(machines), offers }
}

test('a location that spans panels sells the places of all, and of its own machines only', () => {
  const elsewhere = machine(9000, { id: 2, locationIds: ['3'] })
  const survey = locatedSurvey({
    a: [machine(1000), elsewhere],
    b: [machine(3000, { locationIds: ['2'] }), elsewhere],
  })
  assert.equal(placesFound(survey, [], servers(4, 'fra'))?.size, 4)
  assert.equal(placesFound(survey, [], servers(5, 'fra')), undefined)
  assert.deepEqual(placesLeft(survey, [], 'fra'), [1, 3])
  assert.deepEqual(placesLeft(survey, [{ nodeId: 'b', need: there }], 'fra'), [1, 2])
})

test('what there is no room for is told where there is, and only if all that is wanted fits then', () => {
  const survey = locatedSurvey({
    a: [machine(1000), machine(1000, { id: 2, locationIds: ['2'] })],
    b: [machine(0, { locationIds: ['2'] })],
  })
  const others = new Map([['fra', [{ build: 'sgp', slug: 'sgp' }]]])
  const promised = [{ nodeId: 'a', need: here }]
  assert.deepEqual(alternativesFor(survey, promised, servers(1, 'fra'), others), ['sgp'])
  assert.deepEqual(alternativesFor(survey, promised, servers(2, 'fra'), others), [])
  assert.deepEqual(alternativesFor(survey, promised, servers(2, 'sgp'), others), [])
})

test('a location with a panel that is away sells, though the panels that answer are full', () => {
  const survey = locatedSurvey({ a: [machine(0)], b: null })
  assert.deepEqual(placesFound(survey, [], servers(1, 'fra')), new Map([['s0', 'b']]))
  assert.deepEqual(placesLeft(survey, [], 'fra'), [0, null])
})
