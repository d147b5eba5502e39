import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOffered, locationIdsOn, nodesOf, roomWord } from './rules.ts'

const places = [
  { nodeId: 'a', remoteId: '1' },
  { nodeId: 'a', remoteId: '4' },
  { nodeId: 'b', remoteId: 'fra' },
]

test('a build without a location stands where its product says', () => {
  assert.deepEqual(nodesOf({ nodeIds: ['a'] }), ['a'])
  assert.equal(nodesOf({ nodeIds: [] }), null)
  assert.deepEqual(locationIdsOn({ locationIds: ['7'] }, 'a'), ['7'])
})

test('a build in a location stands on its panels, in its places there', () => {
  assert.deepEqual(nodesOf({ nodeIds: [], places }), ['a', 'b'])
  assert.deepEqual(nodesOf({ nodeIds: ['c', 'b'], places }), ['b'])
  assert.deepEqual(locationIdsOn({ locationIds: ['7'], places }, 'a'), ['1', '4'])
  assert.deepEqual(locationIdsOn({ locationIds: ['7'], places }, 'b'), ['fra'])
})

test('a location without places is nowhere, and not anywhere', () => {
  assert.deepEqual(nodesOf({ nodeIds: [], places: [] }), [])
  assert.deepEqual(nodesOf({ nodeIds: ['a'], places: [] }), [])
})

const rooms: [(number | null)[], string][] = [
  [[5], 'available'],
  [[2, 3], 'available'],
  [[5, null], 'available'],
  [[4], 'few'],
  [[0], 'full'],
  [[], 'full'],
  [[4, null], 'unknown'],
  [[null], 'unknown'],
]
for (const [counted, word] of rooms) {
  test(`room for ${JSON.stringify(counted)} is told as ${word}`, () => {
    assert.equal(roomWord(counted), word)
  })
}

test('buyers choose neither what is hidden nor what is archived', () => {
  assert.equal(isOffered({ hidden: false, archivedAt: null }), true)
  assert.equal(isOffered({ hidden: true, archivedAt: null }), false)
  assert.equal(isOffered({ hidden: false, archivedAt: '2030-01-01T00:00:00.000Z' as never }), false)
})
