import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { type Egg, withContentHash } from './egg.ts'
import { type KnownEgg, planSync, storable } from './sync.ts'

function egg(remoteId: number, more: Partial<Egg> = {}): Egg {
  return withContentHash({
    ...{ source: 'panel', remoteId, uuid: `uuid-${remoteId}`, name: `Egg ${remoteId}` },
    ...{ author: null, description: '', tags: [], features: [], dockerImages: [] },
    ...{ startupCommands: [], stop: '', doneMarkers: [], variables: [], updateUrl: null },
    ...more,
  })
}

function row(from: Egg, archived = false): KnownEgg {
  const { remoteId, uuid, contentHash } = from
  const archivedAt = archived ? instant('2030-01-01T00:00:00Z') : null
  return { id: `row of ${remoteId}`, remoteId, uuid, contentHash, archivedAt }
}

const nothing = { create: [], update: [], unchanged: 0, remove: [] }

test('eggs are created, left alone, updated and archived by their id on the panel', () => {
  const [one, two, three] = [egg(1), egg(2), egg(3)]
  const changed = egg(2, { description: 'new' })
  assert.deepEqual(planSync([row(one), row(two), row(three)], [one, changed, egg(4)]), {
    create: [egg(4)],
    update: [{ id: 'row of 2', egg: changed }],
    unchanged: 1,
    remove: ['row of 3'],
  })
})

test('an archived egg that came back is an update, one that stays away is nothing', () => {
  const [one, two] = [egg(1), egg(2)]
  assert.deepEqual(planSync([row(one, true), row(two, true)], [one]), {
    ...nothing,
    update: [{ id: 'row of 1', egg: one }],
  })
})

test('an egg that was made anew on the panel keeps its row by its uuid', () => {
  const again = egg(9, { uuid: 'uuid-1', name: 'Egg 1' })
  assert.deepEqual(planSync([row(egg(1))], [again]), {
    ...nothing,
    update: [{ id: 'row of 1', egg: again }],
  })
})

test('an egg without uuid is never taken for another one', () => {
  const [old, fresh] = [egg(1, { uuid: null }), egg(2, { uuid: null })]
  const plan = planSync([row(old)], [fresh])
  assert.deepEqual(plan, { ...nothing, create: [fresh], remove: ['row of 1'] })
})

test('two eggs of one uuid share no row', () => {
  const [one, two] = [egg(8, { uuid: 'uuid-1' }), egg(9, { uuid: 'uuid-1' })]
  const plan = planSync([row(egg(1))], [one, two])
  assert.deepEqual([plan.update.length, plan.create, plan.remove], [1, [two], []])
})

test('an egg that a page brought twice counts once', () => {
  assert.deepEqual(planSync([], [egg(1), egg(1)]), { ...nothing, create: [egg(1)] })
})

test('text that no database keeps is cleaned, escapes in it stay', () => {
  const { name, description } = storable(egg(1, { name: 'a\0b\ud800', description: 'a\\u0000b' }))
  assert.deepEqual([name, description], ['ab\ufffd', 'a\\u0000b'])
})
