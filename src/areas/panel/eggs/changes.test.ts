import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesBetween } from './changes.ts'
import type { EggVariable } from './egg.ts'

function variable(env: string, more: Partial<EggVariable> = {}): EggVariable {
  const shown = { name: env, description: '', viewable: true, editable: true }
  return { env, ...shown, default: '', rules: ['string'], sort: 0, ...more }
}

const before = {
  variables: [variable('KEPT'), variable('STRICTER'), variable('GONE')],
  dockerImages: [
    { label: 'Java 17', image: 'java:17' },
    { label: 'Java 21', image: 'java:21' },
  ],
  startupCommands: [{ label: 'Default', command: 'run' }],
}

test('variables, images and commands that came, went and changed are named', () => {
  const after = {
    variables: [
      variable('KEPT', { description: 'in other words' }),
      variable('STRICTER', { rules: ['required', 'string'], editable: false }),
      variable('NEW'),
    ],
    dockerImages: [
      { label: 'Java', image: 'java:21' },
      { label: 'Java 25', image: 'java:25' },
    ],
    startupCommands: [{ label: 'Default', command: 'run --faster' }],
  }
  assert.deepEqual(changesBetween(before, after), {
    variables: [
      { env: 'STRICTER', change: 'changed', fields: ['rules', 'editable'] },
      { env: 'NEW', change: 'added', fields: [] },
      { env: 'GONE', change: 'removed', fields: [] },
    ],
    images: { added: ['java:25'], removed: ['java:17'] },
    startup: { added: ['run --faster'], removed: ['run'] },
  })
})

test('what concerns no server is no change', () => {
  assert.equal(changesBetween(before, structuredClone(before)), undefined)
})

test('rules are compared one by one, for a rule may have a comma in it', () => {
  const of = (rules: string[]) => ({ ...before, variables: [variable('A', { rules })] })
  const changes = changesBetween(of(['in:a', 'b']), of(['in:a,b']))
  assert.deepEqual(changes?.variables, [{ env: 'A', change: 'changed', fields: ['rules'] }])
})
