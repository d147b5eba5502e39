import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRedirectUris } from './rules.ts'

const good = [
  'https://forum.example.org/callback',
  'https://forum.example.org',
  'https://forum.example.org:8443/callback?from=shop',
  'http://localhost:8080/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:3000/callback',
]

for (const uri of good) {
  test(`${uri} can be a redirect address`, () => {
    assert.doesNotThrow(() => assertRedirectUris({ redirectUris: [uri] }))
  })
}

const bad = [
  'forum.example.org/callback',
  '/callback',
  '//forum.example.org/callback',
  'http://forum.example.org/callback',
  'http://localhost.example.org/callback',
  'http://127.0.0.1.example.org/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'com.example.app:/callback',
  'https://*.example.org/callback',
  'https://forum.example.org/*',
  'https://forum.example.org/callback#done',
  'https://forum.example.org/callback#',
  'https://shop@forum.example.org/callback',
  'https://forum.example.org\\@evil.example/callback',
  'https://forum.example.org/a/../callback',
  'https://forum.example.org/%2e%2e/callback',
  'https://FORUM.example.org/callback',
  'https://forum.example.org:443/callback',
  'https://0x7f000001/callback',
  ' https://forum.example.org/callback',
  'https://forum.example.org/call\nback',
  'https:forum.example.org/callback',
  'https://',
]

for (const uri of bad) {
  test(`${JSON.stringify(uri)} is refused as a redirect address`, () => {
    assert.throws(() => assertRedirectUris({ redirectUris: [uri] }), { statusCode: 400 })
  })
}

test('every bad address is named by its place', () => {
  const wanted = {
    redirectUris: ['https://a.example', 'http://a.example'],
    postLogoutRedirectUris: ['ftp://a.example'],
  }
  assert.throws(
    () => assertRedirectUris(wanted),
    ({ details }: { details: { path: string }[] }) => {
      assert.deepEqual(
        details.map(({ path }) => path),
        ['redirectUris.1', 'postLogoutRedirectUris.0'],
      )
      return true
    },
  )
})
