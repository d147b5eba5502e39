import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EggRow } from '../eggs/queries.ts'
import type { NodeRow } from '../nodes/queries.ts'
import { type Candidate, candidatesAmong, placementsFor } from './placements.ts'

function node(id: string, status: NodeRow['status'] = 'ok') {
  return { id, status } as NodeRow
}

function egg(id: string, nodeId: string, more: Partial<EggRow> = {}) {
  return { id, nodeId, uuid: null, name: 'Paper', author: 'a@b.c', ...more } as EggRow
}

const wanted = { id: 'wanted', uuid: 'u', name: 'Paper', author: 'a@b.c' }

test('on each connection it is the egg itself, else its uuid, else its name and author', () => {
  const eggs = [
    egg('namesake', 'one'),
    egg('wanted', 'one', { uuid: 'u' }),
    egg('namesake two', 'two'),
    egg('same uuid', 'two', { uuid: 'u', name: 'Renamed' }),
    egg('other author', 'three', { author: 'x@y.z' }),
    egg('namesake three', 'three'),
    egg('other egg', 'four', { name: 'Vanilla' }),
  ]
  const nodes = ['three', 'two', 'one', 'four'].map((id) => node(id))
  const found = candidatesAmong(nodes, eggs, wanted)
  assert.deepEqual(
    found.map((it) => `${it.node.id}: ${it.egg.id}`),
    ['three: namesake three', 'two: same uuid', 'one: wanted'],
  )
})

test('an egg without uuid is not every other egg without uuid', () => {
  const found = candidatesAmong([node('one')], [egg('x', 'one', { name: 'Rust' })], {
    ...wanted,
    uuid: null,
  })
  assert.deepEqual(found, [])
})

test('the connection with the most room comes first, a refused one last, a full one never', () => {
  const candidates: Candidate[] = [
    { node: node('full'), egg: egg('a', 'full') },
    { node: node('refused', 'unauthorized'), egg: egg('b', 'refused') },
    { node: node('away'), egg: egg('c', 'away') },
    { node: node('some'), egg: egg('d', 'some') },
    { node: node('most'), egg: egg('e', 'most') },
  ]
  const places = new Map([
    ['full', 0],
    ['refused', null],
    ['away', null],
    ['some', 2],
    ['most', 9],
  ])
  const found = placementsFor(candidates, places, ['1', '2'])
  assert.deepEqual(
    found.map((it) => it.node.id),
    ['most', 'some', 'away', 'refused'],
  )
  const placement = { locationIds: ['1', '2'], dedicatedIp: false, portRange: [] }
  assert.deepEqual(found[0]?.placement, placement)
})
