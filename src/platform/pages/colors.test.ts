import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brandColors, brandStyle, contrast } from './colors.ts'

const COLORS = ['#ffd400', '#0b1f4b', '#d7263d', '#000000', '#ffffff', '#3355ff']
const GROUNDS = {
  light: ['#ffffff', '#f5f6f8'],
  dark: ['#0b0c0f', '#131418', '#1b1d22'],
} as const

function assertLegible(color: string): void {
  const schemes = brandColors(color)
  for (const scheme of ['light', 'dark'] as const) {
    const { fill, on, hover, text, line, soft } = schemes[scheme]
    assert.ok(contrast(fill, on) >= 4.5, `${color} ${scheme}: ${on} on ${fill}`)
    assert.ok(contrast(hover, on) >= 4.5, `${color} ${scheme}: ${on} on ${hover}`)
    for (const ground of [...GROUNDS[scheme], soft]) {
      assert.ok(contrast(text, ground) >= 4.5, `${color} ${scheme}: ${text} on ${ground}`)
    }
    for (const ground of GROUNDS[scheme]) {
      assert.ok(contrast(line, ground) >= 3, `${color} ${scheme}: line ${line} on ${ground}`)
    }
  }
}

for (const color of COLORS) {
  test(`the colours made from ${color} meet WCAG AA in both schemes`, () => assertLegible(color))
}

test('the colours made from any colour meet WCAG AA in both schemes', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(byte, byte, byte, (r, g, b) => {
      assertLegible(`#${[r, g, b].map((it) => it.toString(16).padStart(2, '0')).join('')}`)
    }),
    { numRuns: 200 },
  )
})

test('a brand that is legible as it is keeps its own colour on buttons', () => {
  assert.equal(brandColors('#1f5fbf').light.fill, '#1f5fbf')
})

test('what is not a colour counts as the default, and never reaches the style', () => {
  const style = brandStyle('red;}body{background:url(//evil.example)')
  assert.equal(style, brandStyle(undefined))
  assert.doesNotMatch(style, /evil/)
})
