import assert from 'node:assert/strict'
import { test } from 'node:test'
import { panelPermissionsOf, subuserSteps } from './rules.ts'

const ann = { userId: 'ann', email: 'ann@example.org', permissions: ['view', 'power'] }
const own = { userId: 'ann', email: ann.email, subuserUuid: 'u1' }
const there = { uuid: 'u1', email: 'Ann@example.org', permissions: panelPermissionsOf(['power']) }

const cases = [
  ['a new member is made', [ann], [], [], ['create']],
  [
    'one who was begun and is not there is made',
    [ann],
    [{ ...own, subuserUuid: null }],
    [],
    ['create'],
  ],
  [
    'one who was begun and is there is ours',
    [ann],
    [{ ...own, subuserUuid: null }],
    [there],
    ['adopt'],
  ],
  ['one who is as they should be is left alone', [ann], [own], [there], []],
  ['other permissions are set', [ann], [own], [{ ...there, permissions: [] }], ['update']],
  ['whom the owner added there is left alone', [ann], [], [there], []],
  ['whoever is no member any more goes', [], [own], [there], ['delete']],
  ['whoever is gone already is forgotten', [], [own], [], ['forget']],
  ['a stranger on the panel stays', [], [], [there], []],
] as const

for (const [what, members, ours, onPanel, steps] of cases) {
  test(`on the panel, ${what}`, () => {
    const taken = subuserSteps(members, ours, onPanel).map(({ step }) => step)
    assert.deepEqual(taken, steps)
  })
}

test('to view is always allowed, and nothing more than was given', () => {
  assert.deepEqual(panelPermissionsOf([]), ['websocket.connect'])
  const power = ['control.restart', 'control.start', 'control.stop', 'websocket.connect']
  assert.deepEqual(panelPermissionsOf(['power']), power)
})
