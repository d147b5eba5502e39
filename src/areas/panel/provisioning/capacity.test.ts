import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PanelNode } from '../clients/contract.ts'
import { canGrow, fits, freeOn, placesFor } from './capacity.ts'

const node: PanelNode = {
  id: 1,
  name: 'fra-01',
  fqdn: 'fra-01.example.net',
  locationIds: ['1'],
  public: true,
  maintenance: false,
  memoryMb: 10_000,
  diskMb: 100_000,
  memoryOverallocatePercent: 0,
  diskOverallocatePercent: 0,
  memoryAllocatedMb: 6000,
  diskAllocatedMb: 0,
}
const need = { memoryMb: 4000, diskMb: 10_000, locationIds: ['1'] }

test('a server fits up to the last MiB, and not one more', () => {
  assert.equal(fits(node, need), true)
  assert.equal(fits(node, { ...need, memoryMb: 4001 }), false)
  assert.equal(fits(node, { ...need, diskMb: 100_001 }), false)
})

test('overallocation adds its percent, and -1 takes one off', () => {
  assert.equal(freeOn({ ...node, memoryOverallocatePercent: 20 }).memoryMb, 6000)
  assert.equal(freeOn({ ...node, memoryOverallocatePercent: -1 }).memoryMb, 3900)
})

test('a machine that is hidden, in maintenance or elsewhere takes nothing', () => {
  assert.equal(fits({ ...node, public: false }, need), false)
  assert.equal(fits({ ...node, maintenance: true }, need), false)
  assert.equal(fits(node, { ...need, locationIds: ['2'] }), false)
  assert.equal(fits(node, { ...need, locationIds: [] }), true)
})

test('a server grows into what is free, and shrinks on a full machine too', () => {
  const from = { memoryMb: 4000, diskMb: 10_000 }
  assert.equal(canGrow(node, { from, to: { memoryMb: 8000, diskMb: 10_000 } }), true)
  assert.equal(canGrow(node, { from, to: { memoryMb: 8001, diskMb: 10_000 } }), false)
  const full = { ...node, memoryAllocatedMb: 20_000 }
  assert.equal(canGrow(full, { from, to: { memoryMb: 2000, diskMb: 10_000 } }), true)
})

test('places are bounded by memory, disk and free ports of each machine', () => {
  const small = { ...need, memoryMb: 1000 }
  assert.equal(placesFor([{ ...node, freePorts: 100 }], small), 4)
  assert.equal(placesFor([{ ...node, freePorts: 3 }], small), 3)
  assert.equal(
    placesFor(
      [
        { ...node, freePorts: 3 },
        { ...node, freePorts: 9 },
      ],
      small,
    ),
    7,
  )
  assert.equal(placesFor([{ ...node, freePorts: 5 }], { ...small, memoryMb: 0, diskMb: 0 }), 5)
})
