import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandLinksOf } from './links.ts'

for (const [url, label] of [
  ['https://discord.gg/moorage', 'Discord'],
  ['https://www.youtube.com/@moorage', 'YouTube'],
  ['https://social.example/@moorage', 'social.example'],
  ['https://notx.com/moorage', 'notx.com'],
] as const) {
  test(`a link to ${url} is called ${label}`, () => {
    assert.deepEqual(brandLinksOf({ socialLinks: [url] }), [{ label, url }])
  })
}

test('links of the shop come before its pages on networks, in their order', () => {
  const own = [
    { label: 'Status', url: 'https://status.example/' },
    { label: 'Blog', url: 'https://blog.example/' },
  ]
  const shown = brandLinksOf({ footerLinks: own, socialLinks: ['https://twitch.tv/moorage'] })
  assert.deepEqual(
    shown.map(({ label }) => label),
    ['Status', 'Blog', 'Twitch'],
  )
})
