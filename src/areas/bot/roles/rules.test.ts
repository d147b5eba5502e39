import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Grant } from './queries.ts'
import { differenceOf } from './rules.ts'

const grant = fc.record({
  discordId: fc.constantFrom('10000', '20000', '30000'),
  guildId: fc.constantFrom('1', '2'),
  roleId: fc.constantFrom('5', '6', '7'),
  userId: fc.constantFrom('ada', 'bob'),
})
const placeOf = ({ discordId, guildId, roleId }: Grant) => `${discordId} ${guildId} ${roleId}`
const grants = fc.uniqueArray(grant, { selector: placeOf })

test('who had what was granted, and is told of the difference, has what is wanted', () => {
  fc.assert(
    fc.property(grants, grants, (granted, wanted) => {
      const { added, removed } = differenceOf(granted, wanted)
      const held = new Set(granted.map(placeOf))
      for (const it of removed) assert.ok(held.delete(placeOf(it)), 'takes what is there')
      for (const it of added) {
        assert.ok(!held.has(placeOf(it)), 'gives what is not there')
        held.add(placeOf(it))
      }
      assert.deepEqual([...held].sort(), wanted.map(placeOf).sort())
    }),
  )
})

test('a role that is the same of another account is moved, and nobody is told', () => {
  const before = { discordId: '1', guildId: '2', roleId: '3', userId: 'ada' }
  const after = { ...before, userId: 'bob' }
  assert.deepEqual(differenceOf([before], [after]), { added: [], removed: [], moved: [after] })
  assert.deepEqual(differenceOf([after], [after]), { added: [], removed: [], moved: [] })
})
