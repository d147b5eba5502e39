import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '..')
const FILE = path.join(ROOT, 'docs/hardening.md')
const REQUIREMENTS = Array.from({ length: 56 }, (_, index) => index + 1)

/** The files with tests that say in their name which requirements they hold, by requirement. */
function filesOfTests(): Map<number, string[]> {
  const files = ['src', 'test', 'sandbox']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .map((it) => `${folder}/${it}`),
    )
    .filter((it) => it.endsWith('.test.ts'))
    .sort()
  const found = new Map<number, string[]>()
  for (const file of files) {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
    const held = [...text.matchAll(/\(hardening ([\d, ]+)\)/g)].flatMap(([, numbers = '']) =>
      numbers.split(',').map(Number),
    )
    for (const number of new Set(held)) {
      found.set(number, [...(found.get(number) ?? []), file])
    }
  }
  return found
}

/** The table with the files as they are: the rest of it is written by hand. */
function withFiles(text: string, found: ReadonlyMap<number, readonly string[]>): string {
  return text
    .split('\n')
    .map((line) => {
      const [, number = '', wants, , remark] = line.split('|')
      if (!/^\| +\d+ \|/.test(line)) return line
      const files = (found.get(Number(number)) ?? []).map((it) => `\`${it}\``).join(' ')
      return `|${number}|${wants}| ${files} |${remark}|`
    })
    .join('\n')
}

const found = filesOfTests()

test('every requirement of the hardening has tests that name it', () => {
  assert.deepEqual(
    REQUIREMENTS.filter((it) => !found.has(it)),
    [],
  )
  assert.deepEqual(
    [...found.keys()].filter((it) => !REQUIREMENTS.includes(it)),
    [],
  )
})

test('the table of the hardening has every requirement, with the files that hold it', () => {
  const text = fs.readFileSync(FILE, 'utf8')
  const written = withFiles(text, found)
  if (process.env.UPDATE) fs.writeFileSync(FILE, written)
  else assert.equal(text, written, 'Run UPDATE=1 npm test test/hardening')
  const numbers = [...written.matchAll(/^\| +(\d+) \|/gm)].map(([, number]) => Number(number))
  assert.deepEqual(numbers, REQUIREMENTS)
})

test('every test that docs/hardening.md names exists', () => {
  const named = [...fs.readFileSync(FILE, 'utf8').matchAll(/`((?:src|test|sandbox)\/[^`]+\.ts)`/g)]
  const gone = named.flatMap(([, file = '']) => (fs.existsSync(path.join(ROOT, file)) ? [] : file))
  assert.deepEqual(gone, [])
})
