import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PROBLEM_CODES } from '#lib/problem-codes.ts'

/**
 * Words that make a reader guess who does what. The person has a name (the customer, the caller, a member of staff),
 * and so has the act: notified, canceled, requires, automatically.
 */
const PHRASES: readonly RegExp[] = [
  /\b(somebody|someone|whoever|anybody|nobody)\b/i,
  /\b(is|are|was|were|be) told\b/i,
  /\b(given|gives?|giving) up\b/i,
  /\bwants\b/i,
  /\bby itself\b/i,
  /\b(is|are) none\.$/i,
  /\b(we know|of theirs|nobody else|did not end well|looks at your account)\b/i,
  /^(What|Who|Whose) (of it|it is|they|a|no)\b/,
]

const ROOT = path.join(import.meta.dirname, '..')

function unclear(texts: readonly (readonly [where: string, text: string])[]): string[] {
  return texts
    .filter(([, text]) => PHRASES.some((phrase) => phrase.test(text)))
    .map(([where, text]) => `${where}: ${text}`)
}

/** Every summary and description of a part of the API document. */
function textsIn(value: unknown, where: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, it]): [string, string][] =>
    typeof it === 'string' && (key === 'summary' || key === 'description')
      ? [[where, it]]
      : textsIn(it, `${where}/${key}`),
  )
}

test('the API document names who acts and what happens', () => {
  const document = JSON.parse(fs.readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'))
  const texts = textsIn(document, '')
  assert.ok(texts.length > 1500, `${texts.length} texts`)
  assert.deepEqual(unclear(texts), [])
})

test('the explanations of error codes name who acts and what happens', () => {
  const texts = Object.entries(PROBLEM_CODES).flatMap(([code, [meaning, remedy]]) => [
    [code, meaning] as const,
    [code, remedy] as const,
  ])
  assert.ok(texts.length > 300)
  assert.deepEqual(unclear(texts), [])
})

/** The calls whose first text is read by callers, operators or staff. */
const REFUSAL =
  /\b(?:conflict|unprocessable|forbidden|badRequest|badGateway|unauthorized|gone|unavailable|unreadable|StartError|Problem|Refusal|wrong)\(\s*(?:\d+,\s*)?(['`"])((?:(?!\1)[^\\]|\\.)+)\1/gs

test('messages of errors name who acts and what happens', () => {
  const folder = path.join(ROOT, 'src')
  const sources = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const texts = sources.flatMap((file) =>
    [...fs.readFileSync(path.join(folder, file), 'utf8').matchAll(REFUSAL)].map(
      ([, , text = '']) => [file, text] as const,
    ),
  )
  assert.ok(texts.length > 300, `${texts.length} messages`)
  assert.deepEqual(unclear(texts), [])
})

test('the documentation names who acts and what happens', () => {
  const files = fs.readdirSync(path.join(ROOT, 'docs')).filter((it) => it.endsWith('.md'))
  // Rules and attacks are lists of the design with words of their own.
  const read = files.filter((it) => it !== 'billing-rules.md' && it !== 'hardening.md')
  const texts = read.flatMap((file) =>
    fs
      .readFileSync(path.join(ROOT, 'docs', file), 'utf8')
      .split('\n')
      .map((line, at) => [`${file}:${at + 1}`, line] as const),
  )
  assert.deepEqual(unclear(texts), [])
})
