import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf } from './hosts.ts'

const names = [
  ['shop.example.org', 'shop.example.org'],
  ['Shop.Example.ORG', 'shop.example.org'],
  ['shop.example.org:8443', 'shop.example.org'],
  ['shop.example.org.', 'shop.example.org'],
  [' shop.example.org ', 'shop.example.org'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['ｓhop.example', 'shop.example'],
  ['localhost', 'localhost'],
] as const

for (const [text, host] of names) {
  test(`"${text}" is the host ${host}`, () => {
    assert.equal(hostOf(text), host)
  })
}

const NONE = [
  ...['', '.', 'a..b', '-a.example', 'a-.example', 'a_b.example', '*.example.org', 'a b'],
  ...[
    'https://shop.example.org',
    'shop.example.org/path',
    'user@shop.example.org',
    'a,b',
    'a\r\nb',
  ],
  ...['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '::1', 'shop.example.org:port'],
  ...[`${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}example`, 'shop.example.org#x', "x'--"],
]

for (const text of NONE) {
  test(`${JSON.stringify(text.slice(0, 40))} is no host name`, () => {
    assert.equal(hostOf(text), null)
  })
}
