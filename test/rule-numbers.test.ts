import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

/** Numbers of rules and findings of the design: they belong in comments and in `docs/billing-rules.md`. */
const NUMBER = /\b(?:[RS]\d+\.\d+|[GF]\d+)\b/
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/.*$/gm
const ROOT = path.join(import.meta.dirname, '..')

function* sources(): Generator<string> {
  for (const folder of ['src', 'web/src']) {
    const names = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    for (const name of names) {
      if (/\.tsx?$/.test(name) && !name.includes('.test.')) yield path.join(folder, name)
    }
  }
}

function numbersIn(text: string): string[] {
  return text.split('\n').filter((line) => NUMBER.test(line))
}

test('no text of the service, its settings, mails or web pages names a rule by its number', () => {
  const found = [...sources()].flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8').replaceAll(COMMENT, '')
    return numbersIn(text).map((line) => `${file}: ${line.trim()}`)
  })
  assert.deepEqual(found, [])
})

test('no page of the documentation and no text of the API document names a rule by its number', () => {
  const found = fs.readdirSync(path.join(ROOT, 'docs')).flatMap((file) => {
    // The rules themselves have their numbers.
    if (!/\.(md|json)$/.test(file) || file === 'billing-rules.md') return []
    const text = fs.readFileSync(path.join(ROOT, 'docs', file), 'utf8')
    return numbersIn(text).map((line) => `${file}: ${line.trim()}`)
  })
  assert.deepEqual(found, [])
})
