import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskLocale, LOCALES, languageName, regionOf, textFor } from './languages.ts'

const texts = { it: 'Ciao', fr: 'Salut', en: 'Hello' }

const readers = [
  ['their own language', 'fr', 'it', ['fr', 'Salut']],
  ['that of the shop where theirs is missing', 'sv', 'it', ['it', 'Ciao']],
  ['English where both are missing', 'sv', 'no', ['en', 'Hello']],
  ['English where the shop has chosen none', 'sv', undefined, ['en', 'Hello']],
] as const

for (const [what, locale, shopLocale, expected] of readers) {
  test(`a reader gets ${what}`, () => {
    assert.deepEqual(textFor(texts, locale, shopLocale), expected)
  })
}

test('a reader gets the first text where there is none in a language that they may know', () => {
  assert.deepEqual(textFor({ fr: 'Salut' }, 'sv', 'no'), ['fr', 'Salut'])
  assert.equal(textFor({}, 'sv', 'no'), undefined)
  assert.equal(textFor({}, 'constructor', 'toString'), undefined)
})

test('every language has a name of its own and a region that Intl knows', () => {
  assert.equal(new Set(LOCALES.map(languageName)).size, LOCALES.length)
  for (const locale of LOCALES) {
    assert.equal(new Intl.Locale(regionOf(locale)).language, locale)
    assert.deepEqual(Intl.NumberFormat.supportedLocalesOf(regionOf(locale)), [regionOf(locale)])
  }
  assert.deepEqual([languageName('sv'), regionOf('sv')], ['sv', 'en-GB'])
})

test('the administration has English and French, and English for readers of other languages', () => {
  assert.deepEqual(['fr', 'en', 'sv'].map(deskLocale), ['fr', 'en', 'en'])
})
