import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const app = await testApp(null)
const admin = await person(app, { admin: true })

const INVISIBLE = {
  ...{ spaces: '   ', 'a no-break space': '\u00a0', 'an ideographic space': '\u3000' },
  ...{ 'a zero-width space': '\u200b', 'a word joiner': '\u2060', 'a byte order mark': '\ufeff' },
  ...{ 'a direction override': '\u202e', 'direction isolates': '\u2066\u2069' },
  ...{ 'a soft hyphen': '\u00ad', 'a Hangul filler': '\u3164', 'a blank of Braille': '\u2800' },
  ...{ 'a variation selector': '\ufe0f', 'tags and spaces': ' \u{e0061} ' },
}

for (const [what, name] of Object.entries(INVISIBLE)) {
  test(`a name of nothing but ${what} is refused`, async () => {
    for (const { status, body } of [
      await admin.patch('/v1/users/me', { name }),
      await admin.post('/v1/admin/categories', { name }),
      await admin.post('/v1/api-keys', { name, permission: 'read' }),
    ]) {
      const message = 'must be one line of text with visible characters'
      assert.deepEqual([status, body.details], [400, [{ path: 'name', message }]])
    }
  })
}

test('a name that can be seen keeps the invisible characters that its writing needs', async () => {
  for (const name of [
    'می\u200cخواهم',
    '👩\u200d💻',
    'ע\u200eA',
    '1',
    '\u{1f3f4}\u{e0067}\u{e007f}',
    '🛟',
  ]) {
    const { status, body } = await admin.patch('/v1/users/me', { name })
    assert.deepEqual([status, body.name], [200, name])
  }
})

test('every name in a body is text of one line that can be seen', async () => {
  const { body: document } = await app.get('/v1/openapi.json')
  const operations = Object.values<Record<string, { requestBody?: { content: object } }>>(
    document.paths,
  ).flatMap((item) => Object.values(item))
  const names = operations.flatMap(({ requestBody }) =>
    Object.values<{ schema: Schema }>({ ...(requestBody?.content as object) }).flatMap(
      ({ schema }) => namesIn(schema, document.components.schemas),
    ),
  )
  assert.ok(names.length > 40, `${names.length} names`)
  assert.deepEqual(
    names.filter(({ format }) => format !== 'line'),
    [],
  )
})

/** The schemas of fields called a name, in a schema of a body. */
function namesIn(schema: Schema, components: Record<string, Schema>): Schema[] {
  const { $ref, properties = {}, items, anyOf = [] } = schema
  const referenced = $ref ? components[$ref.split('/').at(-1) ?? ''] : undefined
  const inner = [referenced, items, ...anyOf, ...Object.values(properties)].filter(
    (it) => it != null,
  )
  const own = Object.entries(properties).filter(
    ([name, { type }]) => /^name$|Name$/.test(name) && [type].flat().includes('string'),
  )
  return [...own.map(([, it]) => it), ...inner.flatMap((it) => namesIn(it, components))]
}
