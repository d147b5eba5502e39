import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { WARNED } from './outcomes/warnings.ts'
import { FAULTS } from './rules.ts'

/** What a judgement says of a row that it leaves out: `then 'orphan_client'`. */
const REASON = /then\s+'([a-z_]+)'/g
const FOLDER = path.join(import.meta.dirname, 'outcomes')

function reasons(): string[] {
  const sources = ['judgements.ts', 'people.ts'].map((name) =>
    fs.readFileSync(path.join(FOLDER, name), 'utf8'),
  )
  const found = sources.flatMap((text) => [...text.matchAll(REASON)].map(([, code = '']) => code))
  const outcomes = new Set(['skipped', 'merged'])
  return [...new Set(found)].filter((code) => !outcomes.has(code))
}

for (const language of ['en', 'fr']) {
  test(`the page of an import has words for each reason, warning and fault (${language})`, async () => {
    const { importReport: words } = await import(
      `../../../web/src/texts/${language}/import-report.ts`
    )
    const without = (codes: readonly string[], texts: object) =>
      codes.filter((code) => !Object.hasOwn(texts, code))
    assert.ok(reasons().length > 30, 'the reasons are found')
    assert.deepEqual(without(reasons(), words.reasons), [])
    assert.deepEqual(without(WARNED, words.warnings), [])
    assert.deepEqual(without(Object.keys(FAULTS), words.faults), [])
  })
}
