import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import type { ChangeRow } from '../roles/queries.ts'
import { pageAfter } from './rules.ts'

const ends = { lastSequence: 9, trimmedSequence: 4 }
const row = (sequence: number): ChangeRow => ({
  ...{ tenantId: 't', sequence, discordId: '1', guildId: '2', roleId: '3', action: 'add' },
  createdAt: instant('2030-01-01T00:00:00Z'),
})

const CASES = [
  ['a bot that has never had all', null, true],
  ['one that missed what is forgotten', 3, true],
  ['one that has exactly what is forgotten', 4, false],
  ['one that is at the end', 9, false],
  ['one that knows of more than there is', 10, true],
] as const

for (const [what, position, reset] of CASES) {
  test(`${what} ${reset ? 'begins anew' : 'reads on'}`, () => {
    const page = pageAfter(position, ends, { rows: [], limit: 2 })
    assert.equal(page.reset, reset)
    assert.equal(page.cursor, reset ? '9' : String(position))
  })
}

test('a page ends at its last change, and says whether there is more', () => {
  const rows = [row(5), row(6), row(7)]
  const page = pageAfter(4, ends, { rows, limit: 2 })
  assert.deepEqual([page.data.length, page.cursor, page.more], [2, '6', true])
  assert.equal(pageAfter(5, ends, { rows: rows.slice(1), limit: 2 }).more, false)
})
