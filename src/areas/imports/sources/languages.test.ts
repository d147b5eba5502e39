import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageWord } from './languages.ts'

test('a tag of a language becomes the word of WHMCS, and an unknown one becomes nothing', () => {
  const tags = ['de_DE', 'pt-BR', 'FR', 'nb_NO', '']
  assert.deepEqual(tags.map(languageWord), ['german', 'portuguese', 'french', '', ''])
})
