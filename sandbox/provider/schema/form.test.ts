import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeForm } from './form.ts'

/** Forms have no prototype; these do. */
function plain(text: string): unknown {
  return JSON.parse(JSON.stringify(decodeForm(text)))
}

const forms: [string, unknown][] = [
  ['', {}],
  ['a=1&b=', { a: '1', b: '' }],
  ['a', { a: '' }],
  ['a=1&a=2', { a: '2' }],
  ['a[b][0][c]=1&a[b][1][c]=2', { a: { b: { 0: { c: '1' }, 1: { c: '2' } } } }],
  ['a[]=x&a[]=y', { a: { 0: 'x', 1: 'y' } }],
  ['a%5Bb%5D=caf%C3%A9+%26+more', { a: { b: 'café & more' } }],
]

for (const [text, expected] of forms) {
  test(`"${text}" is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(plain(text), expected)
  })
}

test('a name that every object has is a name like any other', () => {
  const form = decodeForm('__proto__[polluted]=1&constructor=2')
  assert.deepEqual(Object.keys(form), ['__proto__', 'constructor'])
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

for (const text of ['a=%zz', 'a[b=1', '[a]=1', 'a]=1', 'a=1&a[b]=2', `a${'[b]'.repeat(12)}=1`]) {
  test(`"${text.slice(0, 20)}" is refused`, () => {
    assert.throws(() => decodeForm(text), { status: 400 })
  })
}
