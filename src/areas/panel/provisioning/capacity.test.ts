import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PanelNode } from '../clients/contract.ts'
import { canGrow, fits, freeOn, placesFor } from './capacity.ts'

const node: PanelNode = {
  id: 1,
  name: 'fra-01',
  fqdn: 'fra-01.example.net',
  sftpPort: 2022,
  locationIds: ['1'],
  public: true,
  maintenance: false,
  memoryMb: 10_000,
  diskMb: 100_000,
  cpuPercent: Number.POSITIVE_INFINITY,
  memoryOverallocatePercent: 0,
  diskOverallocatePercent: 0,
  cpuOverallocatePercent: 0,
  memoryAllocatedMb: 6000,
  diskAllocatedMb: 0,
  cpuAllocatedPercent: 0,
}
const need = { memoryMb: 4000, diskMb: 10_000, cpuPercent: 0, locationIds: ['1'] }

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
  const cpuPercent = 100
  const from = { memoryMb: 4000, diskMb: 10_000, cpuPercent }
  assert.equal(canGrow(node, { from, to: { memoryMb: 8000, diskMb: 10_000, cpuPercent } }), true)
  assert.equal(canGrow(node, { from, to: { memoryMb: 8001, diskMb: 10_000, cpuPercent } }), false)
  const full = { ...node, memoryAllocatedMb: 20_000 }
  assert.equal(canGrow(full, { from, to: { memoryMb: 2000, diskMb: 10_000, cpuPercent } }), true)
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

test('a machine that counts its cores takes no more than it has of them', () => {
  const counting = { ...node, cpuPercent: 400, cpuAllocatedPercent: 250 }
  const wanted = { ...need, memoryMb: 1000, cpuPercent: 150 }
  assert.equal(fits(counting, wanted), true)
  assert.equal(fits(counting, { ...wanted, cpuPercent: 151 }), false)
  assert.equal(placesFor([{ ...counting, freePorts: 9 }], { ...wanted, cpuPercent: 50 }), 3)
  const from = { memoryMb: 1000, diskMb: 1000, cpuPercent: 100 }
  assert.equal(canGrow(counting, { from, to: { ...from, cpuPercent: 250 } }), true)
  assert.equal(canGrow(counting, { from, to: { ...from, cpuPercent: 251 } }), false)
})
