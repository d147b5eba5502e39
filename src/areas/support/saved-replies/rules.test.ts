import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPlaceholders, filled, PLACEHOLDERS, type Values } from './rules.ts'

const values: Values = {
  'customer.firstName': 'Ada',
  'customer.name': '{{staff.firstName}} $& $1',
  'ticket.number': 'T-7K3M9QXA',
  'service.name': '',
  'staff.firstName': 'Grace',
  'shop.name': 'Castle',
}

test('support A28: a value with a placeholder in it is not expanded', () => {
  assert.deepEqual(filled('{{customer.name}} and {{staff.firstName}}', values), {
    text: '{{staff.firstName}} $& $1 and Grace',
    missing: [],
  })
})

test('a placeholder without a value becomes empty and is named', () => {
  assert.deepEqual(filled('On {{service.name}}: {{ticket.number}}', values), {
    text: 'On : T-7K3M9QXA',
    missing: ['service.name'],
  })
})

test('support A28: every other text with two opening braces is refused', () => {
  assertPlaceholders({ en: PLACEHOLDERS.map((it) => `{{${it}}}`).join(' { } }} ') })
  for (const text of [
    ...[
      '{{customer.email}}',
      '{{ customer.name }}',
      '{{customer.name',
      '{{}}',
      '{{Customer.name}}',
    ],
    ...['{{ticket.number}} {{', '{{customer.name}}}{{x}}', '{{{shop.name}}}{{{'],
  ]) {
    assert.throws(() => assertPlaceholders({ en: 'Fine', fr: text }), /placeholder/, text)
  }
})
