import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openingIn } from './private-hosts.ts'

const READ = [
  ['10.0.0.5:443', { purpose: 'panel', domain: null, place: '10.0.0.5:443' }],
  ['webhook=Hooks.LAN:8443', { purpose: 'webhook', domain: null, place: 'hooks.lan:8443' }],
  ['shop.example/panel=[::1]:80', { purpose: 'panel', domain: 'shop.example', place: '[::1]:80' }],
  ['payment=127.0.0.1:4243', { purpose: 'payment', domain: null, place: '127.0.0.1:4243' }],
] as const

for (const [entry, opening] of READ) {
  test(`${entry} opens one place for one purpose`, () => {
    assert.deepEqual(openingIn(entry), opening)
  })
}

const WRONG = [
  ['panel.lan', /is not purpose=host:port/],
  ['panel=http://panel.lan:80', /is not purpose=host:port/],
  ['webhooks=hooks.lan:80', /no purpose "webhooks"; did you mean webhook\?/],
  ['files=nas.lan:25', /it is one of panel, webhook, mail, payment, vies, discord/],
  ['shop.example/vies=10.0.0.5:80', /it names no tenant/],
  ['panel=10.0.0.5:0', /there is no port 0/],
] as const

for (const [entry, message] of WRONG) {
  test(`${entry} is refused with a sentence that says why`, () => {
    assert.match(String(openingIn(entry)), message)
  })
}
