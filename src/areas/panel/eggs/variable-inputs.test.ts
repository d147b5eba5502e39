import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf } from './variable-inputs.ts'

for (const [rules, input] of [
  [
    ['required', 'string', 'in:vanilla,"big, flat"'],
    { kind: 'choice', values: ['vanilla', 'big, flat'] },
  ],
  [['required', 'boolean'], { kind: 'switch' }],
  [['required', 'integer', 'between:1,64'], { kind: 'number', isWhole: true, min: '1', max: '64' }],
  [['numeric', 'min:0.5'], { kind: 'number', isWhole: false, min: '0.5' }],
  [['string', 'max:20'], { kind: 'text', maxLength: 20 }],
  [['string', 'between:3,20'], { kind: 'text', maxLength: 20 }],
  [['regex:/^([\\w\\d._-]+)(\\.jar)$/'], { kind: 'text', pattern: '([\\w\\d._\\-]+)(\\.jar)' }],
  [['regex:/^[a-z]+$/'], { kind: 'text', pattern: '[a-z]+' }],
  // Other flags, a part of the text, or PHP's own syntax: the rule itself is asked.
  [['regex:/^[a-z]+$/i'], { kind: 'text' }],
  [['regex:/[a-z]+/'], { kind: 'text' }],
  [['regex:/^\\Aab$/'], { kind: 'text' }],
] as const) {
  test(`${rules.join('|')} is asked for by a ${input.kind}`, () => {
    const { kind, ...found } = inputOf(rules)
    // A class that ends with a dash is no pattern for browsers.
    const isLeftOut = rules[0]?.includes('._-]')
    assert.deepEqual({ kind, ...found }, isLeftOut ? { kind: 'text' } : input)
  })
}
