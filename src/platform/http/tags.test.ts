import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesTag } from './tags.ts'

const TAG = '"0f1e2d"'

for (const header of [
  '"0f1e2d"',
  'W/"0f1e2d"',
  '"0f1e2d-gzip"',
  '"0f1e2d-br"',
  '"0f1e2d-zstd"',
  'W/"0f1e2d--gzip"',
  '"other", W/"0f1e2d"',
  ' * ',
]) {
  test(`${header} names the tag ${TAG}, and its weak form`, () => {
    assert.equal(namesTag(header, TAG), true)
    assert.equal(namesTag(header, `W/${TAG}`), true)
  })
}

for (const header of [undefined, '', '0f1e2d', '"0f1e2"', '"0f1e2d-x"', '"-gzip"', '"*"']) {
  test(`${header} does not name the tag ${TAG}`, () => {
    assert.equal(namesTag(header, TAG), false)
  })
}

test('a tag that ends like an encoding is compared as it is', () => {
  assert.equal(namesTag('"ab-br"', '"ab-br"'), true)
})
