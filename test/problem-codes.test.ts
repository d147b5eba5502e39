import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PROBLEM_CODES } from '#lib/problem-codes.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const root = path.join(import.meta.dirname, '..')
const PAGE = path.join(root, 'docs/errors.md')
const codes = Object.entries(PROBLEM_CODES)

/** Families of codes that are made of a status: `invoice_${status}`. */
const COMPOSED = /^(invoice|entry|refund)_/

test('every code of the list is thrown somewhere, and the list is in order', () => {
  const sources = fs
    .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !file.endsWith('problem-codes.ts'))
    .map((file) => fs.readFileSync(path.join(root, 'src', file), 'utf8'))
    .join('\n')
  const unused = codes
    .map(([code]) => code)
    .filter((code) => !COMPOSED.test(code))
    .filter((code) => !sources.includes(`'${code}'`) && !sources.includes(`  ${code}: '`))
  assert.deepEqual(unused, [])
})

test('docs/errors.md says what every code means and what to do', () => {
  const entries = codes
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, [meaning, remedy]]) => `## ${code}\n\n${meaning} ${remedy}\n`)
  const text = `# Error codes

Every error is a JSON object with \`statusCode\`, \`error\`, \`message\` and \`code\`; \`details\` names the fields.
Programs decide by \`code\`, which is stable. \`message\` is for people and may change; it is in the language that
\`Accept-Language\` prefers of the [eight](notifications.md#languages), else in English. So are the messages of invalid fields in \`details\`.
This page is made from \`src/lib/problem-codes.ts\`: \`UPDATE=1 npm test problem-codes\`.

${entries.join('\n')}`
  if (process.env.UPDATE) fs.writeFileSync(PAGE, text)
  assert.equal(fs.readFileSync(PAGE, 'utf8'), text, 'Run UPDATE=1 npm test problem-codes')
})

test('every refusal has a code of the list, also where a schema or the framework refuses', async (t) => {
  const app = await testApp(t)
  const customer = await person(app)
  const refusals = [
    [await app.post('/v1/auth/login', { email: 1 }), 400, 'invalid_request'],
    [await app.get('/v1/services'), 401, 'unauthorized'],
    [await customer.get('/v1/admin/users'), 403, 'forbidden'],
    [await customer.get('/v1/services/not-an-id'), 404, 'not_found'],
    [await app.get('/v1/nothing'), 404, 'not_found'],
    [await app.get('/v1/store/products/%ff'), 404, 'not_found'],
    [await customer.get('/v1/services?cursor=abc'), 400, 'invalid_cursor'],
    [await customer.get('/v1/services?statsu=ended'), 400, 'unknown_parameter'],
    [await customer.get('/v1/services?limit=x'), 400, 'invalid_request'],
    [
      await app.post('/v1/auth/login', undefined, {
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      ...([415, 'unsupported_media_type'] as const),
    ],
  ] as const
  for (const [{ status, body }, wanted, code] of refusals) {
    assert.deepEqual([status, body.code], [wanted, code], body.message)
    assert.ok(body.code in PROBLEM_CODES)
  }
})
